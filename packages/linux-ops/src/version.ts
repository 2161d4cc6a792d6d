/** Kept equal to package.json by a test, so that a bundle needs no file beside it. */
export const VERSION = "0.0.0";
