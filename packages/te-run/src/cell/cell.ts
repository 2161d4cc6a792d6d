import type { RunOptions } from "../run/run-options.js";
import type { RunResult } from "../run/run.js";

/** A mount namespace that holds an engine and one folder, both read-only, and nothing else. */
export interface Cell {
  /**
   * Runs an engine inside. Its name and those in `programs` are absolute. Rejects with ENGINE_UNAVAILABLE when the cell
   * could not be set up: what comes back otherwise is the engine's own.
   */
  run(argv: readonly [string, ...string[]], see: CellSight, options: CellOptions): Promise<RunResult>;
}

export interface CellSight {
  /** Of the folder, held by us: what is swapped in for its name meanwhile leads nowhere. */
  readonly fd: number;
  /** Where it lies inside; absolute, without links. "/" holds all, then /proc, /sys and /dev are covered. */
  readonly at: string;
  /** Where the engine starts; default: `at`. */
  readonly cwd?: string;
  /** Places at or below `at` that are covered: a folder is empty, a file cannot be opened. What does not exist is left out. */
  readonly closed: readonly Closed[];
  /** What the engine starts itself (grep, for xargs); absolute. */
  readonly programs?: readonly string[];
}

export interface Closed {
  readonly path: string;
  readonly kind: "file" | "folder";
}

/** The environment is LANG and LC_ALL, whatever ours is. */
export type CellOptions = Omit<RunOptions, "cwd" | "env" | "baseEnv" | "third" | "fourth">;

export interface Missing {
  /** Why there is no cell, in a few words. */
  readonly missing: string;
}
