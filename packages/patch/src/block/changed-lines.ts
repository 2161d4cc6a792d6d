import { apply, type Changes } from "./changes.js";
import { endOf, showLine, startOf } from "./snippet.js";
import type { UnitText } from "./unit-text.js";

/** First line that differs at a changed place, before and after; says how many more lines differ. */
export interface ChangedLine {
  /** Index of the first change at the place, and the number of changes there. */
  readonly nth: number;
  readonly count: number;
  /** Unchanged lines of the place above the displayed line. */
  readonly above: number;
  /** Null if the change only adds or only removes lines. */
  readonly old: string | null;
  readonly fresh: string | null;
}

/** Returns the first `most` changed places; changes in the same lines make one place. */
export function changedLines(text: UnitText, units: string, changes: Changes, most: number): readonly ChangedLine[] {
  const { froms, tos, texts } = changes;
  const places: ChangedLine[] = [];
  for (let nth = 0; nth < froms.length && places.length < most;) {
    const start = startOf(units, froms[nth] ?? 0);
    let next = nth;
    let end = start;
    while (next < froms.length && (next === nth || (froms[next] ?? 0) <= end)) end = endOf(units, tos[next++] ?? 0);
    const inside = { froms: froms.slice(nth, next), tos: tos.slice(nth, next), texts: texts.slice(nth, next) };
    const fresh = apply(units.slice(start, end), movedBack(inside, start));
    places.push({ nth, count: next - nth, ...firstDifference(text, units.slice(start, end), fresh) });
    nth = next;
  }
  return places;
}

function movedBack({ froms, tos, texts }: Changes, by: number): Changes {
  return { froms: froms.map((from) => from - by), tos: tos.map((to) => to - by), texts };
}

function firstDifference(text: UnitText, before: string, after: string): Pick<ChangedLine, "above" | "old" | "fresh"> {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  let head = 0;
  while (head < Math.min(old.length, fresh.length) && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, fresh.length) - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const [gone, made] = [old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)];
  const column = commonStart(gone[0] ?? "", made[0] ?? "");
  return { above: head, old: shown(text, gone, column), fresh: shown(text, made, column) };
}

function commonStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

const LINE_UNITS = 160;

function shown(text: UnitText, [first, ...others]: readonly string[], column: number): string | null {
  if (first === undefined) return null;
  const line = showLine(text, { units: first, from: column }, { start: 0, end: first.length }, LINE_UNITS);
  const count = others.length;
  return count === 0 ? line : `${line} …[+${count} ${count === 1 ? "line" : "lines"}]`;
}
