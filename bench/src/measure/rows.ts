import { rowOf, type Goal, type Row, type Unit } from "../report/row.js";
import { summarise } from "../report/stats.js";
import type { Outcome } from "./interleave.js";

export interface Comparison {
  readonly group: string;
  readonly case: string;
  readonly unit: Unit;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** What the others are held against. */
  readonly base?: string;
  readonly goals?: Readonly<Record<string, Goal>>;
  readonly notes?: ReadonlyMap<string, string>;
}

/** One row for each subject, in the order in which they were measured. */
export function compare({ group, case: name, unit, outcomes, base, goals = {}, notes }: Comparison): Row[] {
  const held = base === undefined ? undefined : outcomes.get(base)?.samples;
  const against = base === undefined ? undefined : { name: base, median: medianOf(held) };
  return [...outcomes].map(([subject, { samples, missing }]) =>
    rowOf({
      group,
      case: name,
      subject,
      unit,
      samples,
      missing,
      note: notes?.get(subject),
      against: subject === base ? undefined : against,
      goal: goals[subject],
      other: medianOf(outcomes.get(goals[subject]?.or?.to ?? "")?.samples),
    }),
  );
}

function medianOf(samples: readonly number[] | undefined): number | null {
  return samples === undefined || samples.length === 0 ? null : summarise(samples).median;
}
