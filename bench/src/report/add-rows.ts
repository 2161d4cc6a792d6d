import type { Added, Result } from "./result.js";

/** A kept result with the rows of some groups from a later run, and word of when that was. */
export function addRows(kept: Result, { rows, date, seconds, machine: { load } }: Result): Result {
  const groups = [...new Set(rows.map(({ group }) => group))];
  const isNew = (group: string): boolean => groups.includes(group);
  const others = kept.rows.filter(({ group }) => !isNew(group));
  const before = (kept.added ?? []).filter(({ group }) => !isNew(group));
  const added = groups.map((group): Added => ({ group, date, seconds, load }));
  return { ...kept, rows: [...others, ...rows], added: [...before, ...added] };
}
