// Parsers of documents run in a child process, so a file that exploits a parser harms only that process. The child gets
// the bytes on stdin and no path, so it opens no other file and no path can be swapped.

export type { ReaderProgram } from "./program/reader-program.js";
export { createTurns, type Turns } from "./program/turns.js";
export { extractPages, MAX_PAGES, MAX_TEXT_BYTES, type Extraction, type PageRange } from "./pdf/extract.js";
export { joinPages } from "./pdf/join.js";
export { pdfProgram, unpdfProgram } from "./pdf/pdf-program.js";
export { imageFormat, MAGIC_BYTES, type ImageFormat } from "./image/format.js";
export type { ImageHeader } from "./image/header.js";
export { imageScaler, MAX_SCALED_BYTES, type ScaledImage, type ScaleOptions, type Scaler } from "./image/scaler.js";
