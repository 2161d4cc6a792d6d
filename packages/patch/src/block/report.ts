import type { Forgiven } from "./compare.js";
import type { LineEnds } from "./fit-ends.js";
import type { Plan } from "./plan-edit.js";
import { LISTED } from "./task.js";

export interface EditReport {
  readonly replacements: number;
  /** Where the first replacements begin in the new content: lines, from 1. */
  readonly lines: readonly number[];
  /** What `normalize` forgave; left out where it had nothing to forgive. */
  readonly normalized?: readonly ForgivenLines[];
  /** The file's line ends, if the new text was converted to them. */
  readonly lineEnds?: LineEnds;
}

export interface ForgivenLines {
  readonly kind: Forgiven;
  /** The first of the lines, from 1, as the text was when the edit came to it; `count` is of all. */
  readonly lines: readonly number[];
  readonly count: number;
}

export function reportOf({ changes, forgiven, lineEnds }: Plan, lines: readonly number[]): EditReport {
  const normalized = [...forgiven].map(([kind, all]) => ({ kind, lines: all.slice(0, LISTED), count: all.length }));
  return {
    replacements: changes.froms.length,
    lines,
    ...(normalized.length === 0 ? {} : { normalized }),
    ...(lineEnds === undefined ? {} : { lineEnds }),
  };
}
