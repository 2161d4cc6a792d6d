import { several, type Advice } from "@llmc/errors";
import { likenessOf } from "../nearest/alike.js";
import { occurrencesOf } from "./find.js";
import { lineNumbers, type LineRange } from "./lines.js";
import { isWholeInMessage, messageDiff } from "./message-diff.js";
import { findNormalized } from "./normalized.js";
import { LINE_ENDS } from "./shape.js";
import { standInFor, withHiddenNamed, type NearestText, type StandIn } from "./nearest-text.js";
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
  const there = lineNumbers(task.units, newTextStarts(task));
  if (there.length > 0) return { hint: { id: "edit-made-already", lines: there }, details: { new_text_lines: there } };
  const before = task.index !== undefined && occurrencesOf(original, task.text.encode(task.edit.oldText), 0).count > 0;
  const standIn = expectedOf(task) === 1 ? standInFor(task.text, task.units, task.edit.oldText) : undefined;
  const hint = standIn === undefined ? findItself(task, nearest) : takeStandIn(standIn, nearest);
  return { hint: before ? several("The edits before it changed that text.", hint) : hint };
}

export function expectedOf({ edit }: Task): number {
  return edit.expected ?? 1;
}

// Less ink than this may stand anywhere without being the edit.
const LEAST_INK = 12;

/** Finds the new text if it occurs as often as after the edit, and not just by chance. */
export function newTextStarts({ text, units, edit }: Task): readonly number[] {
  const fresh = text.encode(edit.newText);
  const { count, starts, ranges } = findNormalized(units, fresh, LINE_ENDS, LISTED);
  if (count !== (edit.expected ?? 1)) return [];
  const ink = fresh.replaceAll(/\s/g, "");
  const isTold = ink.length >= LEAST_INK || (isVersionOf(edit) && starts.every((at) => isWords(units, at, fresh)));
  return isTold || areLines(units, ranges, fresh) ? starts : [];
}

// Likeness that the old and the new text exceed if one is an edited version of the other.
const LEAST_SHARED = 0.5;

function isVersionOf({ oldText, newText }: Task["edit"]): boolean {
  return likenessOf(oldText.toLowerCase(), newText.toLowerCase()) > LEAST_SHARED;
}

const IN_WORD = /[\w$\u0080-\uffff]/;

/** Tells whether a text is a whole word. */
function isWords(units: string, at: number, text: string): boolean {
  const [first = "", last = ""] = [text[0], text.at(-1)];
  const before = units[at - 1] ?? "";
  const behind = units[at + text.length] ?? "";
  return !(IN_WORD.test(first) && IN_WORD.test(before)) && !(IN_WORD.test(last) && IN_WORD.test(behind));
}

/** Tells whether each range holds exactly the text, and the text is more than brackets. */
function areLines(units: string, ranges: readonly LineRange[], text: string): boolean {
  const lines = units.split("\n");
  const own = linesOf([text]);
  if (!/[^\s{}()[\];,]/.test(own)) return false;
  return ranges.every(({ first, last }) => linesOf(lines.slice(first - 1, last)) === own);
}

function linesOf(lines: readonly string[]): string {
  return lines.join("\n").replaceAll("\r\n", "\n").trim();
}

// Longest block quoted in a hint, because a model may see the hint without the rest of the answer.
const LONGEST_QUOTE = 200;

/** Advises only whole lines nearly like the block that was sent, because a model follows a hint to the letter. */
function takeStandIn({ text, line, endLine }: StandIn, nearest: NearestText | undefined): Advice {
  const quote = withHiddenNamed(JSON.stringify(text));
  if (quote.length <= LONGEST_QUOTE) return { id: "send-block", quote };
  const isShown = nearest !== undefined && nearest.line === line && nearest.endLine === endLine;
  if (isShown && isWholeInMessage(nearest))
    return { id: "take-marked-lines", hasTabs: messageDiff(nearest).includes("→") };
  return { id: "copy-block", line, endLine };
}

function findItself({ units }: Task, nearest: NearestText | undefined): Advice {
  if (nearest?.text.includes("\ufffd") === true) return { id: "text-beside-bytes", line: nearest.line };
  return { id: units === "" ? "write-whole-file" : "read-for-block" };
}
