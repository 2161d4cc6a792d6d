import { several, type Advice } from "@llmc/errors";
import { occurrencesOf } from "./find.js";
import { lineNumbers } from "./lines.js";
import { isWholeInMessage, messageDiff } from "./message-diff.js";
import type { NearestText } from "./nearest-text.js";
import { findNormalized } from "./normalized.js";
import { FORGIVE_ALL } from "./shape.js";
import { LISTED, type Task } from "./task.js";

/** What makes the next try succeed. */
export interface NextTry {
  readonly hint: Advice;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface Clues {
  /** The content before the first edit. */
  readonly original: string;
  /** The escapes without which the block would occur. */
  readonly escapes: string | undefined;
  readonly nearest: NearestText | undefined;
}

export function nextTryOf(task: Task, { original, escapes, nearest }: Clues): NextTry {
  if (escapes !== undefined) return { hint: { id: "write-characters", escapes } };
  if (forgivingCount(task) === expectedOf(task))
    return { hint: { id: "forgive-whitespace" }, details: { normalize: true } };
  const there = newTextLines(task);
  if (there.length > 0) return { hint: { id: "edit-made-already", lines: there }, details: { new_text_lines: there } };
  const before = task.index !== undefined && occurrencesOf(original, task.text.encode(task.edit.oldText), 0).count > 0;
  const hint = nearest === undefined ? findItself(task) : takeNearest(nearest, expectedOf(task));
  return { hint: before ? several("The edits before it changed that text.", hint) : hint };
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

function takeNearest(nearest: NearestText, expected: number): Advice {
  const { line, endLine, text, cut, occurrences } = nearest;
  if (occurrences === 0) return { id: "text-beside-bytes", line };
  const often = occurrences === expected ? {} : { occurs: occurrences };
  const quote = JSON.stringify(text).replaceAll(HIDDEN, escaped);
  if (!cut && quote.length <= LONGEST_QUOTE) return { id: "send-block", quote, ...often };
  if (!cut && isWholeInMessage(nearest))
    return { id: "take-marked-lines", hasTabs: messageDiff(nearest).includes("→"), ...often };
  return { id: "copy-block", line, endLine, ...often };
}

// What a reader does not see or takes for a plain space, and would not copy.
const HIDDEN = /[\u007f-\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]/g;

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function findItself({ units }: Task): Advice {
  return { id: units === "" ? "write-whole-file" : "read-for-block" };
}
