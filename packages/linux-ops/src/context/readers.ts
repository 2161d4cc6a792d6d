import type { ReaderProgram, Scaler, Turns } from "@llmc/documents";

/** Programs that read files other than text. Found again for each call, so that a new one needs no restart. */
export interface Readers {
  /** Program that prints the text of a PDF. */
  readonly pdf: () => Promise<ReaderProgram | null>;
  readonly scaler: () => Promise<Scaler | null>;
  readonly turns: Turns;
}
