import type { CellOptions, RunResult } from "@llmc/te-run";

/** Where engines run for one search: in a cell that holds only the root, or outside, started in the root that we hold. */
export interface Place {
  readonly held: "bubblewrap" | "witness";
  /** Path of the search root in the cell; undefined if an engine starts in the root and gets the names to search. */
  readonly searchRoot: string | undefined;
  run(argv: Argv, at: "search root" | "root", options: CellOptions, programs?: readonly string[]): Promise<RunResult>;
  close(): Promise<void>;
}

export type Argv = readonly [string, ...string[]];
