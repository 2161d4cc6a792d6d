import type { CellOptions, RunResult } from "@llmc/te-run";

/** Where engines run for one search: in a cell that holds only the root, or outside, started in the root that we hold. */
export interface Place {
  readonly held: "bubblewrap" | "witness";
  /** Where an engine that is started there finds the search root; else it is started in the root and told what to look at. */
  readonly searchRoot: string | undefined;
  run(argv: Argv, at: "ground" | "root", options: CellOptions, programs?: readonly string[]): Promise<RunResult>;
  close(): Promise<void>;
}

export type Argv = readonly [string, ...string[]];
