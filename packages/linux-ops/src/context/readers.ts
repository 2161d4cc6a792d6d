import type { ReaderProgram, Scaler } from "@llmc/documents";

/** Programs that read files other than text. Found again for each call, so that a new one needs no restart. */
export interface Readers {
  /** Program that prints the text of a PDF. */
  readonly pdf: () => Promise<ReaderProgram | null>;
  readonly scaler: () => Promise<Scaler | null>;
  readonly turns: Turns;
}

/** Work that holds a whole file in memory: at most so many at a time, in the order in which they came. */
export interface Turns {
  take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}
