import type { Hit } from "../query/content-query.js";

/** Lines `from` to `to`, inclusive, counted from 1. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** Lines of a file by number, without those that could not be read. */
export type Lines = ReadonlyMap<number, string>;

/** Lines before and after a hit. */
export interface Width {
  readonly before: number;
  readonly after: number;
}

/** The lines that are shown of a hit itself: more than one only where it spans lines. */
export function ownLines({ line, text }: Hit): LineRange {
  let to = line;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) to += 1;
  return { from: line, to };
}

export function windowOf(hit: Hit, { before, after }: Width): LineRange {
  const { from, to } = ownLines(hit);
  // What follows the part that is shown is the rest of the hit.
  return { from: Math.max(1, from - before), to: hit.endLine === undefined ? to + after : to };
}

/** The text of a hit as it is shown: what was cut of it is marked, and lines end as those around them do. */
export function shownText({ text, cut }: Hit): string {
  return `${cut.before > 0 ? "…" : ""}${text.replaceAll("\r\n", "\n")}${cut.after > 0 ? `…[+${cut.after} chars]` : ""}`;
}

export function numbersOf({ from, to }: LineRange): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
