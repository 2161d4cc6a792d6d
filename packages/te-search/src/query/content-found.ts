import type { HitFile } from "./content-query.js";
import type { SearchRoot } from "../search-root/search-root.js";

export interface ContentFound {
  readonly searchRoot: SearchRoot;
  /** "ripgrep 15.0.0", "grep 3.8". */
  readonly engine: string;
  /** How nothing from outside came in: the engine saw only the root, or each hit was looked at again. */
  readonly held: "bubblewrap" | "witness";
  /** Hits; files in the mode "files". */
  readonly total: number;
  /** False: `total` is a lower bound. */
  readonly exact: boolean;
  /** What ended the search before it was through. */
  readonly endedBy: null | "scan bound" | "deadline";
  /** In the order found; every file with a hit, with its count, even where its hits were not kept. */
  readonly files: readonly HitFile[];
  /** Hits that are in `files`. */
  readonly kept: number;
  readonly leftOut: LeftOut;
}

/** Result of searching a text in memory: at most one file, whose path is the name of the text. */
export type TextFound = Omit<ContentFound, "searchRoot" | "held">;

export interface LeftOut {
  /** Files and folders that an ignore rule names; what lies in such a folder is not counted. */
  readonly ignored: number;
  readonly hidden: number;
  readonly binary: number;
  /** Files and folders that this process may not read. */
  readonly unreadable: number;
  /** Hits that were not there any more when they were looked at again. */
  readonly changed: number;
  /** True: there are more than these. */
  readonly atLeast: boolean;
}
