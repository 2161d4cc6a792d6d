export { openFiles, type Files, type FilesOptions, type LookupOptions } from "./files.js";
export type { FileIdentity, OpenFile } from "./open-file.js";
export { readSlice, type LineSlice, type PageWanted, type SliceOptions, type TextSlice } from "./read/read-slice.js";
export { sliceText } from "./read/slice-text.js";
export { countLines, readBytes, type BytesOptions, type CountOptions } from "./read/read-bytes.js";
export { createLineIndexCache, type LineIndexCache } from "./read/line-map.js";
export type { CutLine } from "./read/page.js";
export { describeBinary } from "./read/binary.js";
