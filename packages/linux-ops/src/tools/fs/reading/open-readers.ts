import { createTurns, imageScaler, pdfProgram } from "@llmc/documents";
import type { Readers } from "../../../context/readers.js";

/** Readers that run at once, because each can hold 50 MB and use a processor. */
const AT_ONCE = 2;

export function openReaders(): Readers {
  return {
    pdf: pdfProgram,
    scaler: () => Promise.resolve(imageScaler()),
    turns: createTurns(AT_ONCE),
  };
}
