// Each operation on files is one function over three things: the scope (where it may work), undo (how it changes) and
// the stale guard (which files have changed). `openFiles` puts them together; operations that few sessions need are
// loaded at their first call.

export { openFiles, type Files, type FilesOptions, type LookupOptions, type ReadOptions } from "./files.js";
export type { FileIdentity, OpenFile } from "./read/open-file.js";
export type { WriteOptions, Written } from "./write/write-file.js";
export type { PatchedFile, PatchFileOptions } from "./patch/patch-file.js";
export type { AppliedDiff, AppliedFile, ApplyDiffOptions } from "./patch/apply-diff.js";
export type { MadeFolders, MakeFoldersOptions } from "./write/make-folders.js";
export type { Transferred, TransferredPath, TransferOptions } from "./move/transfer.js";
export type { Removed, RemovedPath, RemoveOptions, WouldRemove } from "./remove/remove-path.js";
export type { ListOptions } from "./list/list-folder.js";
export { leftOutOf, selectFirst, selectLevels, type Selection } from "./list/choose-entries.js";
export type { EntryType, ListedEntry, ListedFolder, Listing } from "./list/listing.js";
export type { Usage, UsageOptions, UsageRow } from "./list/measure-usage.js";
export type { PathFacts } from "./list/stat-path.js";
export { readSlice, type LineSlice, type PageWanted, type SliceOptions, type TextSlice } from "./read/read-slice.js";
export { nearestPath } from "./missing/explain.js";
export type { Nearest } from "./missing/nearest.js";
export { sliceText } from "./read/slice-text.js";
export { countLines, readBytes, type BytesOptions, type CountOptions } from "./read/read-bytes.js";
export { createLineIndexCache, type LineIndexCache } from "./read/line-map.js";
export type { CutLine } from "./read/page.js";
export { describeBinary } from "./read/binary.js";
