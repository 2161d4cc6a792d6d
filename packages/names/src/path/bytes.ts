/** A path as its bytes, one latin1 character each: names need not be UTF-8, and such strings still split and compare. */
export type Bytes = string;
