import type { Readable } from "node:stream";

/** A pipe of the kernel's, for a program that prints in tiny pieces: they share pages, a socket is full of 270 of them. */
export interface Pipe {
  /** For the program. */
  readonly writer: number;
  /** It has the writer now, or never will: what comes out, to be read or destroyed. Called once. */
  given(): Readable;
}

export interface Pipes {
  /** Undefined while there is none: when they are first asked for, when all are taken, when they cannot be made. */
  take(): Pipe | undefined;
  /** Those that are taken go on. */
  close(): void;
}
