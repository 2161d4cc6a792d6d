// A document is read by a program of its own and never in this process: what a file makes a parser do ends with that
// program. The bytes go in by stdin, so that no path can be swapped and nothing of the machine is opened.

export type { ReaderProgram } from "./program/reader-program.js";
export { extractPages, MAX_PAGES, MAX_TEXT_BYTES, type Extraction, type PageRange } from "./pdf/extract.js";
export { joinPages } from "./pdf/join.js";
export { pdfProgram, unpdfProgram } from "./pdf/pdf-program.js";
export { imageFormat, MAGIC_BYTES, type ImageFormat } from "./image/format.js";
export type { ImageHeader } from "./image/header.js";
export { imageScaler, MAX_SCALED_BYTES, type ScaledImage, type ScaleOptions, type Scaler } from "./image/scaler.js";
