import type { Scaler } from "./scaler.js";

/** What reads other kinds than text, where it is installed. */
export interface Readers {
  /** Where the program is. Looked up each time: who installs it need not start the server again. */
  readonly pdftotext: () => Promise<string | null>;
  readonly scaler: () => Promise<Scaler | null>;
  readonly turns: Turns;
}

/** Work that holds a whole file in memory: at most so many at a time, in the order in which they came. */
export interface Turns {
  take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}
