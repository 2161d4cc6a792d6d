import { rounded, summarise } from "./stats.js";

export type Unit = "ms" | "MiB" | "tokens" | "requests/s" | "calls" | "answers";

/** What a row has to keep: a bound on its own figures, or on its ratio to another row's median. */
export interface Goal {
  readonly of: "median" | "p95" | "ratio";
  readonly atMost?: number;
  readonly atLeast?: number;
  /** It will also do to be at most this many times as long as another subject. */
  readonly or?: { readonly to: string; readonly atMost: number };
}

export interface Row {
  readonly group: string;
  readonly case: string;
  readonly subject: string;
  readonly unit: Unit;
  readonly median: number | null;
  readonly p95: number | null;
  readonly n: number;
  readonly ratio: { readonly to: string; readonly value: number } | null;
  readonly goal: { readonly of: Goal["of"]; readonly text: string; readonly met: boolean | null } | null;
  /** Why there is no number, or what is wrong with the answer behind it. */
  readonly note: string | null;
}

export interface Measured {
  readonly group: string;
  readonly case: string;
  readonly subject: string;
  readonly unit: Unit;
  readonly samples: readonly number[];
  /** Why there are no samples. */
  readonly missing?: string | undefined;
  readonly note?: string | undefined;
  /** The row this one is held against: its name and its median, where it was measured. */
  readonly against?: { readonly name: string; readonly median: number | null } | undefined;
  readonly goal?: Goal | undefined;
  /** The median of what the goal names besides. */
  readonly other?: number | null | undefined;
}

export function rowOf(measured: Measured): Row {
  const { group, case: name, subject, unit, samples, missing, note, against, goal, other } = measured;
  const summary = samples.length === 0 ? null : summarise(samples, unit === "requests/s" ? "low" : "high");
  const median = summary?.median ?? null;
  const ratio = ratioOf(median, against);
  const besides = goal?.or && ratioOf(median, { name: goal.or.to, median: other ?? null });
  return {
    group,
    case: name,
    subject,
    unit,
    median: summary && rounded(summary.median),
    p95: summary && rounded(summary.p95),
    n: summary?.n ?? 0,
    ratio: ratio && { ...ratio, value: rounded(ratio.value) },
    goal:
      goal === undefined
        ? null
        : judge(goal, goal.of === "ratio" ? ratio?.value : summary?.[goal.of], unit, besides?.value),
    note: summary === null ? `not measured: ${missing ?? "no samples"}` : (note ?? null),
  };
}

/** Of the full medians: rounding must not decide whether a goal is met. */
function ratioOf(median: number | null, against: Measured["against"]): { to: string; value: number } | null {
  if (median === null || against === undefined || against.median === null || against.median === 0) return null;
  return { to: against.name, value: median / against.median };
}

export function judge(goal: Goal, value: number | undefined, unit: Unit, besides?: number): NonNullable<Row["goal"]> {
  const { of, atMost = Infinity, atLeast = -Infinity, or } = goal;
  const bound = atMost === Infinity ? `≥ ${atLeast}` : `≤ ${atMost}`;
  const alternative = or === undefined ? "" : ` or ≤ ${or.atMost} × ${or.to}`;
  const text = `${of === "p95" ? "p95 " : ""}${bound} ${of === "ratio" ? "×" : unit}${alternative}`;
  if (or !== undefined && besides !== undefined && besides <= or.atMost) return { of, text, met: true };
  return { of, text, met: value === undefined ? null : value <= atMost && value >= atLeast };
}

/** A goal that nobody could look at is as open as one that is missed. */
export function missed(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ goal }) => goal !== null && goal.met !== true);
}
