import type { Bytes } from "../kernel/syscalls.js";

/** The content of a file by which it is known again. */
export interface ContentMark {
  readonly sha256: string;
  readonly size: number;
}

/** What a rewritten file was. */
export interface Before extends ContentMark {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Nanoseconds, as a decimal: JSON has no such integers. */
  readonly mtimeNs: string;
}

/** Which file or folder something was, whatever its name is by now. */
export interface Who {
  readonly dev: string;
  readonly ino: string;
}

/**
 * One thing that a change did, with what it takes to take it back. Paths are real ones, without links, as bytes.
 * A step is written down before it is made: it may not have happened, which its marks show.
 */
export type UndoStep =
  /** A file was rewritten. Its old bytes are in the journal under `before.sha256`. */
  | { readonly did: "rewrote"; readonly path: Bytes; readonly before: Before; readonly after: ContentMark }
  /** A file was made where nothing was. */
  | { readonly did: "created"; readonly path: Bytes; readonly after: ContentMark }
  /** Bytes were added at the end. */
  | { readonly did: "appended"; readonly path: Bytes; readonly sizeBefore: number; readonly after: ContentMark }
  /** A folder was made. */
  | { readonly did: "made folder"; readonly path: Bytes }
  /** Renamed, or copied and then removed; the same thing is now at `to`. */
  | { readonly did: "moved"; readonly from: Bytes; readonly to: Bytes; readonly who: Who }
  /** A tree was copied to where nothing was. */
  | { readonly did: "copied"; readonly to: Bytes; readonly who: Who }
  /** Removed; it lies whole in the journal under `kept`. */
  | { readonly did: "removed"; readonly path: Bytes; readonly kept: string; readonly who: Who }
  | { readonly did: "set mode"; readonly path: Bytes; readonly before: number; readonly after: number };

export type ChangeKind = "write" | "append" | "mkdirs" | "move" | "copy" | "delete" | "patch" | "diff" | "undo";
