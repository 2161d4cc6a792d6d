// An edit is a pure function from bytes to bytes, so that the same code serves a file, a dry run and a test. A block or
// hunk that does not fit exactly once is an error which shows the nearest text; no change is guessed.

export { computeChanges } from "./diff/changes.js";
export { notesOf } from "./diff/notes.js";
export { parseDiff } from "./diff/parse.js";
export type { PlanKind } from "./diff/plan.js";
export { quotedIn } from "./diff/quoted-names.js";
export type { Change } from "./diff/files-to-be.js";
export type { BlockEdit } from "./block/check-edits.js";
export { replaceBlocks, type Replaced, type ReplaceOptions } from "./block/replace-blocks.js";
export type { EditReport } from "./block/report.js";
export { type Encoding, encodeText, markedEncoding, Sniffer } from "./text/encoding.js";
export { CHUNK, returnScratch, takeScratch, type Scratch } from "./text/newlines.js";
