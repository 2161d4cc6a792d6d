export type { Ground } from "@llmc/te-fs";

/** A name or path with one character for each byte. */
export type Bytes = string;
