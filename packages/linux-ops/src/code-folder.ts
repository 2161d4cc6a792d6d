/** Folder of the running code. The file stands beside index.ts because a bundle lies in one folder and a build in several. */
export const CODE_FOLDER = import.meta.dirname;
