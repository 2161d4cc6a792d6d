import { replaceAt, replaceFitting } from "./exact.js";
import type { Changes } from "./changes.js";
import type { Forgiven } from "./compare.js";
import { fitEnds, type LineEnds } from "./fit-ends.js";
import { occurrencesOf } from "./find.js";
import { lineNumbers, terminators } from "./lines.js";
import { countMismatch, missing } from "./mismatch.js";
import { findNormalized, type NormalizedFind } from "./normalized.js";
import { expectedOf } from "./next-try.js";
import { LISTED, type Task } from "./task.js";

export interface Plan {
  readonly changes: Changes;
  /** What was forgiven, and in which lines, from 1. */
  readonly forgiven: ReadonlyMap<Forgiven, readonly number[]>;
  /** Line ends to which the new text was converted, if it had others. */
  readonly lineEnds: LineEnds | undefined;
}

/** What an edit changes. It throws PATCH_COUNT_MISMATCH unless the block occurs as often as expected. */
export function planEdit(task: Task, original: string): Plan {
  const wanted = task.text.encode(task.edit.oldText);
  const expected = expectedOf(task);
  const keep = Math.max(expected, LISTED);
  const exact = occurrencesOf(task.units, wanted, keep);
  if (exact.count === expected) return planExact(task, exact.starts, wanted);
  const forgiving = task.normalize && findNormalized(task.units, wanted, task.normalize, keep);
  if (forgiving?.count === expected) return planForgiving(task, forgiving);
  // A block of nothing but whitespace occurs only to the letter.
  const found = forgiving === undefined || forgiving.count === 0 ? exact : forgiving;
  throw found.count === 0 ? missing(task, original) : countMismatch(task, found);
}

function planForgiving({ text, edit, spend }: Task, found: NormalizedFind): Plan {
  return { ...found.change(text.encode(edit.newText), spend), lineEnds: undefined };
}

function planExact(task: Task, starts: readonly number[], wanted: string): Plan {
  const { text, units, edit, normalize, spend } = task;
  const fresh = text.encode(edit.newText);
  spend(fresh.length * starts.length);
  const forgives = normalize?.lineEndings === true;
  if (!forgives && edit.oldText.includes("\n"))
    return { changes: replaceAt(starts, wanted, fresh), forgiven: new Map(), lineEnds: undefined };
  const changes = replaceFitting(units, starts, wanted, fresh);
  const fitted = starts.filter((_, nth) => changes.texts[nth] !== fresh);
  if (!forgives) {
    const [first] = fitted;
    const lineEnds = first === undefined ? undefined : fitEnds(edit, terminators(units)(first)).lineEnds;
    return { changes, forgiven: new Map(), lineEnds };
  }
  const forgiven = new Map(fitted.length === 0 ? [] : [["line endings", lineNumbers(units, fitted)] as const]);
  return { changes, forgiven, lineEnds: undefined };
}
