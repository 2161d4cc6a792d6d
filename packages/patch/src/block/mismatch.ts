import { PatchCountMismatchError } from "@llmc/errors";
import { MOST_REPLACEMENTS } from "./check-edits.js";
import { unescaped } from "./escapes.js";
import { occurrencesOf, type Occurrences } from "./find.js";
import { lineNumbers } from "./lines.js";
import { messageDiff } from "./message-diff.js";
import { nearestText, type NearestText } from "./nearest-text.js";
import { expectedOf, forgivingCount, nextTryOf, type NextTry } from "./next-try.js";
import { LISTED, type Task } from "./task.js";

/** The block occurs, but more or less often than expected. */
export function countMismatch(task: Task, { count, starts }: Occurrences): PatchCountMismatchError {
  const lines = lineNumbers(task.units, starts.slice(0, LISTED));
  const listed = `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${count > lines.length ? " …" : ""}`;
  const { hint, details } = tryForCount(task, count);
  return new PatchCountMismatchError(
    { path: task.path, edit: task.index, found: count, expected: expectedOf(task) },
    { more: `: ${listed}${afterEdits(task)}`, hint, details: { lines, ...details } },
  );
}

function tryForCount(task: Task, count: number): NextTry {
  const expected = expectedOf(task);
  if (count > expected)
    return { hint: { id: "longer-block", expected, ...(count > MOST_REPLACEMENTS ? {} : { count }) } };
  if (forgivingCount(task) === expected)
    return { hint: { id: "forgive-whitespace", occurs: expected }, details: { normalize: true } };
  return { hint: { id: "shorter-block", expected, count } };
}

/** The block does not occur: says where it nearly does, what differs there, and what makes the next try succeed. */
export function missing(task: Task, original: string): PatchCountMismatchError {
  const { text, units, edit } = task;
  const escaped = unescaped(edit.oldText).find((form) => occurrencesOf(units, text.encode(form.text), 0).count > 0);
  const nearest = nearestText(text, units, escaped?.text ?? edit.oldText);
  const { hint, details } = nextTryOf(task, { original, escapes: escaped?.escapes, nearest });
  return new PatchCountMismatchError(
    { path: task.path, edit: task.index, found: 0, expected: expectedOf(task) },
    {
      more: nearest === undefined ? "" : `; ${described(nearest)}${afterEdits(task)}${shortDiff(nearest)}`,
      hint,
      details: { ...details, ...(nearest === undefined ? {} : { nearest: detailsOf(nearest) }) },
    },
  );
}

function described({ line, endLine, differences }: NearestText): string {
  const where = line === endLine ? `line ${line}` : `lines ${line}-${endLine}`;
  const kinds = new Set(differences.flatMap((one) => one.kinds));
  const lacks = kinds.delete("missing in the file") ? ", which lack a line of it" : "";
  const others = kinds.delete("only in the file") ? ", which have a line more" : "";
  return `nearest is ${where}${kinds.size === 0 ? "" : `, different in ${[...kinds].join(", ")} (- yours, + the file)`}${lacks}${others}`;
}

/** The file itself has other numbers while none of the edits is written. */
function afterEdits({ index }: Task): string {
  return index === undefined || index === 0 ? "" : " (as the edits before it leave the text)";
}

function shortDiff(nearest: NearestText): string {
  return nearest.diff === "" ? "" : `:\n${messageDiff(nearest)}`;
}

function detailsOf({ line, endLine, score, text, cut, diff }: NearestText): Readonly<Record<string, unknown>> {
  return { line, end_line: endLine, score, text, ...(cut ? { cut } : {}), diff };
}
