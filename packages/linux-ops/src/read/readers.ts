import { findProgram } from "@llmc/te-run";
import { loadSharp } from "./image/sharp.js";
import type { Scaler } from "./image/scaler.js";
import { createTurns, type Turns } from "./turns.js";

/** What reads other kinds than text, where it is installed. */
export interface Readers {
  /** Where the program is. Looked up each time: who installs it need not start the server again. */
  readonly pdftotext: () => Promise<string | null>;
  readonly scaler: () => Promise<Scaler | null>;
  readonly turns: Turns;
}

/** Each may hold some 50 MB, and use a processor. */
const AT_ONCE = 2;

export function openReaders(): Readers {
  let scaler: Promise<Scaler | null> | undefined;
  return {
    pdftotext: () => findProgram("pdftotext"),
    scaler: () => (scaler ??= loadSharp()),
    turns: createTurns(AT_ONCE),
  };
}
