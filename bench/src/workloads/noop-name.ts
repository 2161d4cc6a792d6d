/** The tool of the catalogue whose work is taken away. */
export const NOOP = "health";
