import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Row } from "./row.js";

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly kernel: string;
  readonly node: string;
  /** The one-minute load average before the first and after the last measurement. */
  readonly load: { readonly before: number; readonly after: number };
}

export interface Result {
  readonly date: string;
  readonly seconds: number;
  readonly machine: Machine;
  /** What was measured, by subject. */
  readonly versions: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
  /** Runs of some groups alone, whose rows took the place of others. */
  readonly added?: readonly Added[];
}

export interface Added {
  /** As in the rows. */
  readonly group: string;
  readonly date: string;
  readonly seconds: number;
  readonly load: Machine["load"];
}

export const BENCH = join(import.meta.dirname, "../..");
export const RESULT_FILE = join(BENCH, "results/latest.json");
export const README_FILE = join(BENCH, "README.md");

export function readResult(file = RESULT_FILE): Result {
  return JSON.parse(readFileSync(file, "utf8")) as Result;
}
