import { occurrencesOf } from "./find.js";
import { lineNumbers } from "./lines.js";
import { isWholeInMessage, messageDiff } from "./message-diff.js";
import type { NearestText } from "./nearest-text.js";
import { findNormalized } from "./normalized.js";
import { FORGIVE_ALL } from "./shape.js";
import { LISTED, type Task } from "./task.js";

/** What makes the next try succeed. */
export interface Remedy {
  readonly hint: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface Clues {
  /** The content before the first edit. */
  readonly original: string;
  /** The escapes without which the block would occur. */
  readonly escapes: string | undefined;
  readonly nearest: NearestText | undefined;
}

export function remedyOf(task: Task, { original, escapes, nearest }: Clues): Remedy {
  if (escapes !== undefined)
    return { hint: `Send the characters themselves instead of ${escapes}, in new_text as well.` };
  if (forgivingCount(task) === expectedOf(task))
    return { hint: "Pass normalize: true, which forgives whitespace.", details: { normalize: true } };
  const there = newTextLines(task);
  if (there.length > 0) {
    return {
      hint: `new_text is there already (line ${there.join(", ")}): if the edit was made before, nothing is left to do.`,
      details: { new_text_lines: there },
    };
  }
  const before = task.index !== undefined && occurrencesOf(original, task.text.encode(task.edit.oldText), 0).count > 0;
  const reason = before ? "The edits before it changed that text. " : "";
  return { hint: `${reason}${nearest === undefined ? findItself(task) : takeNearest(nearest, expectedOf(task))}` };
}

export function expectedOf({ edit }: Task): number {
  return edit.expected ?? 1;
}

/** How often the block occurs with all whitespace forgiven; 0 where that was tried. */
export function forgivingCount({ text, units, edit, normalize }: Task): number {
  const tried = normalize?.trailingWhitespace && normalize.lineEndings && normalize.indentation;
  return tried ? 0 : findNormalized(units, text.encode(edit.oldText), FORGIVE_ALL, 0).count;
}

// Less ink than this may stand anywhere without being the edit.
const LEAST_INK = 12;

/** Where the new text stands, as often as it would after the edit. */
function newTextLines(task: Task): readonly number[] {
  const fresh = task.text.encode(task.edit.newText);
  if (fresh.replaceAll(/\s/g, "").length < LEAST_INK) return [];
  const { count, starts } = occurrencesOf(task.units, fresh, LISTED);
  return count === expectedOf(task) ? lineNumbers(task.units, starts) : [];
}

// Of an answer that a model may see as text alone: it must hold what it speaks of.
const LONGEST_QUOTE = 200;

function takeNearest(nearest: NearestText, expected: number): string {
  const { line, endLine, text, cut, occurrences } = nearest;
  if (occurrences === 0)
    return `Line ${line} holds bytes that are no text, which old_text cannot name: use text beside them.`;
  const often =
    occurrences === expected
      ? ""
      : ` It occurs ${occurrences} times: pass expected_replacements: ${occurrences} or add lines around it.`;
  const quote = JSON.stringify(text).replaceAll(HIDDEN, escaped);
  if (!cut && quote.length <= LONGEST_QUOTE) return `Send what the file has there as old_text: ${quote}.${often}`;
  const tabs = messageDiff(nearest).includes("→") ? " (→ is a tab)" : "";
  if (!cut && isWholeInMessage(nearest))
    return `In old_text, put the lines marked + in place of yours (-)${tabs}.${often}`;
  const [lines, count] = [line === endLine ? `line ${line}` : `lines ${line}-${endLine}`, endLine - line + 1];
  return `Read ${lines} with linux.fs_read (offset_lines: ${line - 1}, max_lines: ${count}) and copy old_text from there.${often}`;
}

// What a reader does not see or takes for a plain space, and would not copy.
const HIDDEN = /[\u007f-\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]/g;

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function findItself({ units }: Task): string {
  if (units === "") return "The file is empty: write it with linux.fs_write.";
  return "Nothing in it is alike: read it with linux.fs_read and copy old_text from there.";
}
