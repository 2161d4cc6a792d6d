import type { Ground } from "../files.js";

/** What to look for in the names of files and folders. */
export interface NamesQuery {
  readonly root: string;
  /** What a relative root starts from. */
  readonly cwd?: string | undefined;
  /** A part of the name; a glob where it has glob characters; with `regex` a regular expression. */
  readonly pattern: string;
  readonly regex: boolean;
  /** Which files to look at, as .gitignore writes them; a leading `!` leaves out. */
  readonly glob?: readonly string[] | undefined;
  readonly type?: "file" | "dir" | undefined;
  /** Milliseconds since 1970. */
  readonly modifiedSince?: number | undefined;
  readonly minSize?: number | undefined;
  readonly maxSize?: number | undefined;
  readonly respectIgnore: boolean;
  readonly includeHidden: boolean;
  /** The best so many are kept; the rest is counted. */
  readonly maxKept: number;
}

export interface FoundPath {
  /** Below the ground, in bytes (one character each). */
  readonly way: string;
  /** Absolute, as people read it; files.open() takes it. */
  readonly path: string;
  readonly type: "file" | "dir" | "link" | "other";
  /** Only where the query asked for times or sizes. */
  readonly size?: number | undefined;
  readonly mtimeMs?: number | undefined;
}

export interface NamesFound {
  readonly ground: Ground;
  /** "walk", "fd 8.6.0". */
  readonly engine: string;
  readonly total: number;
  /** False: `total` is a lower bound. */
  readonly exact: boolean;
  readonly endedBy: null | "scan bound" | "deadline";
  /** Best first. */
  readonly hits: readonly FoundPath[];
  readonly leftOut: {
    readonly ignored: number;
    readonly hidden: number;
    readonly unreadable: number;
    readonly atLeast: boolean;
  };
}
