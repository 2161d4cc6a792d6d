import type { SearchRoot } from "../search-root/search-root.js";

/** What to look for in the names of files and folders. */
export interface NamesQuery {
  /** A folder, or one file that is then looked at alone. */
  readonly root: string;
  /** What a relative root starts from. */
  readonly cwd?: string | undefined;
  /**
   * A part of the name; a glob where it has glob characters; with `regex` a regular expression. With a slash it is about
   * the path below the root. Upper case in it counts, otherwise case does not.
   */
  readonly pattern: string;
  readonly regex: boolean;
  /** Which entries to look at, as for a listing; a leading `!` leaves out, with all that lies below. */
  readonly glob?: readonly string[] | undefined;
  /** A link counts as what it leads to, as long as that lies in a root. */
  readonly type?: "file" | "dir" | undefined;
  /** Milliseconds since 1970. */
  readonly modifiedSince?: number | undefined;
  /** Bytes. With a size, only files are found. */
  readonly minSize?: number | undefined;
  readonly maxSize?: number | undefined;
  readonly respectIgnore: boolean;
  readonly includeHidden: boolean;
  /** The best so many are kept; the rest is counted. */
  readonly maxKept: number;
  /** About how much memory the kept ones may take. */
  readonly maxKeptBytes: number;
}

export interface FoundPath {
  /** Path below the search root, in bytes (one character each); "" is the search root itself. */
  readonly way: string;
  /** Absolute display path; files.open() takes the path. */
  readonly path: string;
  readonly type: "file" | "dir" | "link" | "other";
  /** Only where the query asked for times or sizes. */
  readonly size?: number | undefined;
  readonly mtimeMs?: number | undefined;
}

/**
 * How they were found: as asked for; or, because nothing was, with the glob taken as plain text ("text"), without regard
 * to case ("case"), or by the words of the pattern, however they are cased and joined ("words").
 */
export type FoundBy = "pattern" | "text" | "case" | "words";

export interface NamesFound {
  readonly searchRoot: SearchRoot;
  /** "walk", "fd 8.6.0". */
  readonly engine: string;
  readonly by: FoundBy;
  readonly total: number;
  /** False: `total` is a lower bound. */
  readonly exact: boolean;
  readonly endedBy: null | "deadline";
  /** Best first. */
  readonly hits: readonly FoundPath[];
  readonly leftOut: {
    /** Files and folders that an ignore rule names; what lies in such a folder is not counted. */
    readonly ignored: number;
    readonly hidden: number;
    readonly unreadable: number;
    /** True: there are more than these. */
    readonly atLeast: boolean;
  };
}
