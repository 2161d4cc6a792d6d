import type { SearchRoot } from "../search-root/search-root.js";
import type { Folder } from "./name-filter.js";

/** Names below a ground, handed on folder by folder. */
export interface FeedOptions {
  readonly searchRoot: SearchRoot;
  readonly includeHidden: boolean;
  readonly respectIgnore: boolean;
  readonly signal: AbortSignal | undefined;
  /** As performance.now() has it. */
  readonly deadline: number;
  readonly take: (folder: Folder) => void | Promise<void>;
}

/** How it ended, and what was left out. */
export interface Fed {
  /** "large": there is more than was asked for. */
  readonly ended: "whole" | "deadline" | "large";
  readonly hidden: number;
  readonly ignored: number;
  readonly unreadable: number;
  /** Not all that was left out was counted. */
  readonly atLeast: boolean;
}
