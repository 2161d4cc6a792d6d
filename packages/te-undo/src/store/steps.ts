import { type ContentMark, kindOf, type Stat } from "@llmc/te-path";
import type { Bytes } from "@llmc/names";

/** What a rewritten file was. */
export interface Before extends ContentMark {
  /** Which file it was: what is made of it again is another one, and stands for it. */
  readonly who?: Who;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Nanoseconds, as a decimal: JSON has no such integers. */
  readonly mtimeNs: string;
  readonly hasOtherNames?: true;
  /** It had holes, or blocks that were none. */
  readonly isSparse?: true;
}

/** Which file or folder something was, whatever its name is by now. */
export interface Who {
  readonly dev: string;
  readonly ino: string;
  /** In nanoseconds, where that is known: the number of a file that was removed is soon another file's. */
  readonly born?: string;
}

/** A file that was made again, and the one that it stands for. */
export type Anew = readonly [was: Who, now: Who];

/** What a folder was when it had been copied to its place. */
export interface CopiedTree {
  /** Itself included. */
  readonly entries: number;
  /** When its last entry was changed by that, in nanoseconds. */
  readonly changedNs: string;
  /** What it was made of; not of very many entries. */
  readonly prints?: string;
}

/** What a folder was. */
export interface FolderBefore {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly mtimeNs: string;
}

/**
 * One thing that a change did, with what it takes to take it back. Paths are real ones, without links, as bytes.
 * A step is written down before it is made: it may not have happened, which its marks show.
 */
export type UndoStep =
  /** A file was rewritten. Its old bytes are in the journal under `before.sha256`. */
  | {
      readonly did: "rewrote";
      readonly path: Bytes;
      readonly before: Before;
      readonly after: ContentMark;
      /** Byte by byte: killed in the middle, it is neither the old nor the new one. The journal sees that by itself. */
      readonly inPlace?: true;
      readonly anew?: Anew;
    }
  /** A file was made where nothing was. */
  | { readonly did: "created"; readonly path: Bytes; readonly after: ContentMark; readonly anew?: Anew }
  /** A regular file was removed. Its bytes are in the journal under `before.sha256`; for what `keep` holds. */
  | { readonly did: "deleted"; readonly path: Bytes; readonly before: Before }
  /** Bytes were added at the end; `after` is all of the file. */
  | {
      readonly did: "appended";
      readonly path: Bytes;
      readonly sizeBefore: number;
      /** The sum of what was there before: with it, what was killed in the middle can be taken back. */
      readonly sha256Before?: string;
      readonly after: ContentMark;
    }
  /** The end of what was `whole` was cut off; it is in the journal as `tail`. What an append taken back is. */
  | {
      readonly did: "cut";
      readonly path: Bytes;
      readonly whole: ContentMark;
      readonly tail: ContentMark;
      readonly after: ContentMark;
    }
  /** A folder was made. */
  | { readonly did: "made folder"; readonly path: Bytes }
  /** An empty folder was removed. */
  | { readonly did: "removed folder"; readonly path: Bytes; readonly before: FolderBefore }
  /** Renamed, or copied and then removed; `who` is what is now at `to` (for a copy: amended once it is known). */
  | { readonly did: "moved"; readonly from: Bytes; readonly to: Bytes; readonly who: Who }
  /** Came back from the journal. `origin` is the absolute path that it had there. What a removal taken back is. */
  | { readonly did: "restored"; readonly to: Bytes; readonly who: Who; readonly origin: Bytes }
  /** A file, or a tree, was copied to where nothing was. */
  | {
      readonly did: "copied";
      readonly to: Bytes;
      readonly who: Who;
      readonly content?: ContentMark;
      readonly tree?: CopiedTree;
    }
  /**
   * Removed; it lies whole in the journal under `kept`. `who` is what was at `path`. Where `kept` is a copy, the step
   * is written down when the copy is complete and before anything of the tree goes.
   */
  | { readonly did: "removed"; readonly path: Bytes; readonly kept: string; readonly who: Who }
  | { readonly did: "set mode"; readonly path: Bytes; readonly before: number; readonly after: number };

/** An undo is a change as well; taking that back is a redo. */
export type ChangeKind =
  | "write"
  | "append"
  | "mkdirs"
  | "move"
  | "copy"
  | "delete"
  | "patch"
  | "diff"
  | "undo"
  | "redo";

/** Below that, blocks that are not there may just as well lie in the inode. */
const SPARSE_FROM = 64n * 1024n;

/** All of what a file was but its content. */
export function factsOf(stat: Stat): Omit<Before, "sha256"> {
  const { mode, uid, gid, mtimeNs, size, nlink, blocks } = stat;
  return {
    who: whoIs(stat),
    size: Number(size),
    mode: Number(mode & 0o7777n),
    uid: Number(uid),
    gid: Number(gid),
    mtimeNs: String(mtimeNs),
    ...(nlink > 1n && kindOf(stat) === "file" ? { hasOtherNames: true } : {}),
    ...(blocks * 512n < size && size >= SPARSE_FROM ? { isSparse: true } : {}),
  };
}

/** The place where people look for what the step did. */
export function pathOf(step: UndoStep): Bytes {
  if (step.did === "moved") return step.from;
  return "to" in step ? step.to : step.path;
}

export function whoIs({ dev, ino, birthNs = 0n }: Stat): Who {
  return { dev: String(dev), ino: String(ino), ...(birthNs === 0n ? {} : { born: String(birthNs) }) };
}
