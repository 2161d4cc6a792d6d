import { findProgram } from "@llmc/te-run";
import { loadSharp } from "./image/sharp.js";
import type { Scaler } from "../../../context/scaler.js";
import type { Readers } from "../../../context/readers.js";
import { createTurns } from "./turns.js";

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
