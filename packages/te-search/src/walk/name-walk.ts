import type { Bytes } from "@llmc/names";
import type { FoundName } from "./found-name.js";

export interface NameWalk {
  readonly includeHidden: boolean;
  /** .gitignore, .ignore, .rgignore and .git/info/exclude count; then `.git` itself is neither shown nor counted. */
  readonly respectIgnore: boolean;
  /** With sizes, times, and what links lead to. */
  readonly stats?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** As performance.now() tells time. */
  readonly deadline?: number | undefined;
}

/** Names of one folder. One that holds very many comes in several slices, one after the other. */
export interface VisitedFolder {
  /** Path below the search root; "" is the search root itself. */
  readonly way: Bytes;
  readonly names: readonly FoundName[];
  /** There is a folder `.git`, which was left out. */
  readonly isRepository: boolean;
}

/** "stop" ends the walk. The walk waits for a promise. */
export type VisitNames = (folder: VisitedFolder) => void | "stop" | Promise<void | "stop">;

export interface WalkedNames {
  readonly ended: "whole" | "deadline" | "stopped";
  /** Names that were left out as hidden, or by ignore rules; what lies in such a folder is not counted. */
  readonly hidden: number;
  readonly ignored: number;
  /** Folders that could not be read, or not to their end. */
  readonly unreadable: number;
  /** Folders that were shown and turned out to be closed. */
  readonly closed: number;
  /** Folders that were read. */
  readonly folders: number;
  /** Ignore rules that are not in force, because there are more than anybody would write. */
  readonly skippedRules: number;
}
