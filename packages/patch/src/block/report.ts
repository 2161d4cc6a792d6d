import type { ChangedLine } from "./changed-lines.js";
import type { Forgiven } from "./compare.js";
import type { LineEnds } from "./fit-ends.js";
import type { Plan } from "./plan-edit.js";
import { LISTED } from "./task.js";

export interface EditReport {
  /** 0 if the file already had the new text, and not the old one. */
  readonly replacements: number;
  /** Lines, from 1, at which the first replacements begin in the new content, or the new text already stood. */
  readonly lines: readonly number[];
  /** First changed places, in the order of the text. */
  readonly places: readonly ShownPlace[];
  /** What `normalize` forgave; left out where it had nothing to forgive. */
  readonly normalized?: readonly ForgivenLines[];
  /** The file's line ends, if the new text was converted to them. */
  readonly lineEnds?: LineEnds;
}

export interface ShownPlace {
  /** Number, from 1, of the displayed line in the new content. */
  readonly line: number;
  /** Replacements at the place of the displayed line. */
  readonly count: number;
  readonly old: string | null;
  readonly fresh: string | null;
}

export interface ForgivenLines {
  readonly kind: Forgiven;
  /** The first of the lines, from 1, as the text was when the edit came to it; `count` is of all. */
  readonly lines: readonly number[];
  readonly count: number;
}

export function reportOf(
  { changes, forgiven, lineEnds }: Plan,
  lines: readonly number[],
  changed: readonly ChangedLine[],
): EditReport {
  const normalized = [...forgiven].map(([kind, all]) => ({ kind, lines: all.slice(0, LISTED), count: all.length }));
  return {
    replacements: changes.froms.length,
    lines,
    places: changed.flatMap(({ nth, above, ...place }) => {
      const line = lines[nth];
      return line === undefined ? [] : [{ line: line + above, ...place }];
    }),
    ...(normalized.length === 0 ? {} : { normalized }),
    ...(lineEnds === undefined ? {} : { lineEnds }),
  };
}
