import type { Outcome } from "@llmc/commands";
import { totalsOf, type Totals } from "../grammar/totals.js";
import { parseCommand } from "../recognise/command.js";
import { recognise } from "../recognise/recognise.js";
import type { Recogniser } from "../recognise/recogniser.js";
import { failureOf, type Failure } from "./failures.js";

export interface ReadRun extends Totals {
  /** Kind of the output; null where it is not known. */
  readonly runner: string | null;
  readonly failures: Failure[];
}

/** Takes the output of a test runner apart. A run that ended badly without a failing test has no number of failures. */
export function readRun(
  argv: readonly string[],
  { stdout, stderr, exitCode }: Outcome,
  recognisers: readonly Recogniser[],
): ReadRun {
  const [out, err] = [stdout, stderr].map((each) =>
    typeof each === "string" ? each : each.head().toString() + each.tail().toString(),
  );
  const text = `${out}\n${err}`;
  const lines = text.split("\n");
  const kinds = [...new Set(recognise(recognisers, parseCommand(argv).printing, lines))].filter(
    ({ failures }) => failures !== undefined,
  );
  const [kind] = kinds;
  const failures = kinds.flatMap((each) => each.failures?.(lines) ?? []);
  const totals = atLeast(failures.length, ranSome(together(kinds.map(({ name }) => totalsOf(name, text)))));
  const isUnexplained = exitCode !== 0 && (totals.failed ?? 0) === 0 && (totals.errors ?? 0) === 0;
  return {
    runner: kind?.name ?? null,
    ...totals,
    ...(isUnexplained ? { failed: null, errors: null } : {}),
    failures: failures.map(failureOf),
  };
}

/** Adds up what several runners of a script counted; a runner without totals counts nothing. */
function together(all: readonly Totals[]): Totals {
  const sum = (name: keyof Totals) => {
    const known = all.map((each) => each[name]).filter((count) => count !== null);
    return known.length === 0 ? null : known.reduce((total, count) => total + count, 0);
  };
  return { passed: sum("passed"), failed: sum("failed"), errors: sum("errors"), skipped: sum("skipped") };
}

/** A runner's last line may tell of fewer failures than were seen. */
function atLeast(seen: number, totals: Totals): Totals {
  const { failed, errors } = totals;
  return failed === null || failed + (errors ?? 0) >= seen ? totals : { ...totals, failed: seen - (errors ?? 0) };
}

/** No test at all is not a number of failures. */
function ranSome(totals: Totals): Totals {
  const all = Object.values(totals) as (number | null)[];
  return all.every((count) => count === 0 || count === null) ? { ...totals, passed: null, failed: null } : totals;
}
