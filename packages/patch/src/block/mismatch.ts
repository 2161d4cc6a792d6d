import { PatchCountMismatchError, type Advice } from "@llmc/errors";
import { MOST_REPLACEMENTS } from "./check-edits.js";
import { unescaped } from "./escapes.js";
import { occurrencesOf, type Occurrences } from "./find.js";
import { lineNumbers, type LineRange } from "./lines.js";
import { messageDiff } from "./message-diff.js";
import { nearestText, type NearestText } from "./nearest-text.js";
import { expectedOf, nextTryOf } from "./next-try.js";
import type { NormalizedFind } from "./normalized.js";
import { LISTED, type Task } from "./task.js";

/** The block occurs, but more or less often than expected. */
export function countMismatch(task: Task, { count, starts }: Occurrences): PatchCountMismatchError {
  const lines = lineNumbers(task.units, starts.slice(0, LISTED));
  const listed = `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${count > lines.length ? " …" : ""}`;
  const expected = expectedOf(task);
  const all = count > MOST_REPLACEMENTS ? {} : { count };
  const hint: Advice = count > expected ? { id: "longer-block", expected, ...all } : { id: "fewer-places", count };
  return new PatchCountMismatchError(factsOf(task, count), {
    more: `: ${listed}${afterEdits(task)}`,
    hint,
    details: { lines },
  });
}

/** Refuses a block that fits only but for blanks, because the caller has to name the place or copy the blanks. */
export function fitsButForBlanks(task: Task, found: NormalizedFind): PatchCountMismatchError {
  const { count, ranges } = found;
  const shown = ranges.slice(0, LISTED);
  const listed = `${named(shown)}${count > shown.length ? " …" : ""}`;
  const fits = count === 1 ? "one place" : `${count} places`;
  return new PatchCountMismatchError(factsOf(task, 0), {
    says: `fits ${fits} of ${task.path} but for ${blanksOf(found)}${afterEdits(task)}: ${listed}`,
    hint: expectedOf(task) === 1 ? "Send more lines." : "Send an edit for each place, with the blanks of the file.",
    details: { fits: shown.map(({ first, last }) => [first, last]) },
  });
}

/** Refuses the only fitting place if no single difference tells how to indent the new text. */
export function mixedIndentation(task: Task, { ranges: [range = { first: 1, last: 1 }] }: NormalizedFind) {
  return new PatchCountMismatchError(factsOf(task, 0), {
    says: `fits ${named([range])} of ${task.path} but for indentation, which differs in more than one way${afterEdits(task)}`,
    hint: { id: "copy-indentation", line: range.first, endLine: range.last },
    details: { fits: [[range.first, range.last]] },
  });
}

/** Refuses a block that does not occur: names the closest text and the hint for a retry. */
export function missing(task: Task, original: string): PatchCountMismatchError {
  const { text, units, edit } = task;
  const escaped = unescaped(edit.oldText).find((form) => occurrencesOf(units, text.encode(form.text), 0).count > 0);
  const nearest = nearestText(text, units, escaped?.text ?? edit.oldText);
  const { hint, details } = nextTryOf(task, { original, escapes: escaped?.escapes, nearest });
  return new PatchCountMismatchError(factsOf(task, 0), {
    more: nearest === undefined ? afterEdits(task) : closest(nearest, afterEdits(task)),
    hint,
    details: { ...details, ...(nearest === undefined ? {} : { nearest: detailsOf(nearest) }) },
  });
}

function factsOf(task: Task, found: number) {
  return { path: task.path, edit: task.index, found, expected: expectedOf(task) };
}

/** Formats ranges as `line 6` or `lines 7-8, 40-41`. */
function named(ranges: readonly LineRange[]): string {
  const all = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
  return `${/^\d+$/.test(all.join(", ")) ? "line" : "lines"} ${all.join(", ")}`;
}

function blanksOf(found: NormalizedFind): string {
  const kinds = found.forgiven();
  const indentation = kinds.has("indentation") ? ["indentation"] : [];
  return [...indentation, ...(kinds.has("trailing whitespace") ? ["trailing blanks"] : [])].join(" and ");
}

/** Quotes the closest line, or tells how several lines differ. The message ends with text of the file. */
function closest(nearest: NearestText, where: string): string {
  const { line, endLine, whole, differences } = nearest;
  const kinds = new Set(differences.flatMap((one) => one.kinds));
  const lacks = kinds.delete("missing in the file") ? ", without a line of yours" : "";
  const others = kinds.delete("only in the file") ? ", with a line more" : "";
  const different = kinds.size === 0 ? "" : `, different in ${[...kinds].join(", ")}`;
  if (line === endLine)
    return `. Closest line ${line}${where}${different === ", different in text" ? "" : different}: ${whole}`;
  const signs = nearest.diff === "" ? "" : ` (- yours, + the file):\n${messageDiff(nearest)}`;
  return `. Closest lines ${line}-${endLine}${where}${different}${lacks}${others}${signs}`;
}

/** The file itself has other numbers while none of the edits is written. */
function afterEdits({ index }: Task): string {
  return index === undefined || index === 0 ? "" : " (as the edits before it leave the text)";
}

function detailsOf({ line, endLine, score, text, cut, diff }: NearestText): Readonly<Record<string, unknown>> {
  return { line, end_line: endLine, score, text, ...(cut ? { cut } : {}), diff };
}
