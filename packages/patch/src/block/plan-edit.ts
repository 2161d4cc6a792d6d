import { replaceAt, replaceFitting } from "./exact.js";
import type { Changes } from "./changes.js";
import type { Forgiven } from "./compare.js";
import { otherEnds, type LineEnds } from "./fit-ends.js";
import { occurrencesOf, type Occurrences } from "./find.js";
import { lineNumbers, terminators } from "./lines.js";
import { countMismatch, fitsButForBlanks, mixedIndentation } from "./mismatch.js";
import { findNormalized, type NormalizedFind } from "./normalized.js";
import { expectedOf } from "./next-try.js";
import { FORGIVE_ALL, LINE_ENDS } from "./shape.js";
import { LISTED, type Task } from "./task.js";

export interface Plan {
  readonly changes: Changes;
  /** Forgiven differences, with their lines counted from 1. */
  readonly forgiven: ReadonlyMap<Forgiven, readonly number[]>;
  /** Line ends of the file, if the caller wrote different ones. */
  readonly lineEnds: LineEnds | undefined;
  /** Places of a new text that the file already has, so nothing is changed. */
  readonly made?: readonly number[];
}

/**
 * Returns the changes of an edit; undefined if its block does not occur. Refuses a count other than the expected one.
 */
export function planEdit(task: Task): Plan | undefined {
  const wanted = task.text.encode(task.edit.oldText);
  const expected = expectedOf(task);
  const keep = Math.max(expected, LISTED);
  const exact = occurrencesOf(task.units, wanted, keep);
  const isExact = exact.count === expected;
  if (isExact && !splitsLineEnd(task.units, wanted, exact)) return planExact(task, exact.starts, wanted);
  const found = findNormalized(task.units, wanted, task.normalize ?? LINE_ENDS, keep);
  if (found.count === expected) return planFound(task, found, false);
  if (isExact) return planExact(task, exact.starts, wanted);
  // A block of nothing but whitespace occurs only to the letter.
  if (found.count + exact.count > 0) throw countMismatch(task, found.count === 0 ? exact : found);
  return task.normalize === undefined ? planButForBlanks(task, wanted, keep) : undefined;
}

/** Forgives indentation and trailing blanks if one place fits and one difference explains it. */
function planButForBlanks(task: Task, wanted: string, keep: number): Plan | undefined {
  const found = findNormalized(task.units, wanted, FORGIVE_ALL, keep);
  if (found.count === 0) return undefined;
  if (found.count > 1 || expectedOf(task) > 1) throw fitsButForBlanks(task, found);
  return planFound(task, found, true);
}

function planFound(task: Task, found: NormalizedFind, isStrict: boolean): Plan {
  const { text, edit, spend } = task;
  const changes = found.change(text.encode(edit.newText), { isStrict, spend });
  if (changes === undefined) throw mixedIndentation(task, found);
  return { changes, forgiven: found.forgiven(), lineEnds: endsAt(task, changes.froms[0]) };
}

function endsAt({ units, edit }: Task, place: number | undefined): LineEnds | undefined {
  return place === undefined ? undefined : otherEnds(edit, terminators(units)(place));
}

/** Tells whether a block that begins with "\n" begins within a CRLF of the file. */
function splitsLineEnd(units: string, wanted: string, { starts }: Occurrences): boolean {
  return wanted.startsWith("\n") && starts.some((at) => units.charCodeAt(at - 1) === 0x0d);
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
  const isTold = forgives && fitted.length > 0;
  const forgiven = new Map(isTold ? [["line endings", lineNumbers(units, fitted)] as const] : []);
  return { changes, forgiven, lineEnds: endsAt(task, fitted[0]) };
}
