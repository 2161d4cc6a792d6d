import type { ReaderProgram, Scaler } from "@llmc/documents";

/** What reads other kinds than text. Looked up each time: who installs it need not start the server again. */
export interface Readers {
  /** Prints the text of a PDF. */
  readonly pdf: () => Promise<ReaderProgram | null>;
  readonly scaler: () => Promise<Scaler | null>;
  readonly turns: Turns;
}

/** Work that holds a whole file in memory: at most so many at a time, in the order in which they came. */
export interface Turns {
  take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}
