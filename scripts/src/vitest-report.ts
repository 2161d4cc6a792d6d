import { readFileSync } from "node:fs";

export interface Tally {
  passed: number;
  readonly failures: string[];
  readonly skips: string[];
}

/** What we use of vitest's JSON report. */
export interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

export const emptyTally = (): Tally => ({ passed: 0, failures: [], skips: [] });

export function readReport(file: string): VitestReport {
  return JSON.parse(readFileSync(file, "utf8")) as VitestReport;
}

export function addReport(tally: Tally, dir: string, { testResults }: VitestReport): void {
  for (const { name, status, message, assertionResults } of testResults) {
    const before = tally.failures.length;
    for (const one of assertionResults) addTest(tally, `${dir}: ${one.fullName.trim()}`, one.status);
    // A file that cannot be loaded has no tests at all, and a hook that throws fails none: both are failures.
    if (status === "failed" && tally.failures.length === before) {
      tally.failures.push(`${dir}: ${name.slice(name.indexOf(dir) + dir.length + 1)}: ${firstLine(message)}`);
    }
  }
}

function addTest(tally: Tally, title: string, status: string): void {
  if (status === "passed") tally.passed += 1;
  else if (status === "failed") tally.failures.push(title);
  else tally.skips.push(title);
}

function firstLine(text = ""): string {
  return text.split("\n", 1)[0]?.trim() || "the file failed";
}
