import { imageScaler, pdfProgram } from "@llmc/documents";
import type { Readers } from "../../../context/readers.js";
import { createTurns } from "./turns.js";

/** Each may hold some 50 MB, and use a processor. */
const AT_ONCE = 2;

export function openReaders(): Readers {
  return {
    pdf: pdfProgram,
    scaler: () => Promise.resolve(imageScaler()),
    turns: createTurns(AT_ONCE),
  };
}
