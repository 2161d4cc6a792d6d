import type { Counts } from "./hunk-header.js";
import type { DiffLine, HunkLine, LineEnd, Op } from "./plan.js";

export interface HunkBody {
  readonly lines: readonly HunkLine[];
  readonly repaired: boolean;
}

const MARKER = /^\\+ |^\\* ?No newline at end of file/;
// Not `- * …`, which takes a line out of a block comment.
const BULLET = /^- (?!\*)\S/;
const SIGNATURE = "-- ";

/** Makes a hunk of the lines up to the next header. Prose behind the hunk is left out, and wrong counts are seen through. */
export function readBody(raw: readonly DiffLine[], counts: Counts | null): HunkBody {
  const exact = counts === null ? -1 : whereCountsEnd(raw, counts);
  if (exact !== -1 && (isContext(raw, exact) || isProse(raw, exact))) {
    return { lines: toLines(raw.slice(0, exact)), repaired: false };
  }
  return { lines: toLines(raw.slice(0, whereChangesEnd(raw, counts))), repaired: counts !== null };
}

/** The index behind the line with which both counts are reached, or -1. */
function whereCountsEnd(raw: readonly DiffLine[], counts: Counts): number {
  const left = { ...counts };
  let at = 0;
  for (; at < raw.length && (left.old > 0 || left.new > 0); at++) {
    take(left, raw[at]);
    if (left.old < 0 || left.new < 0) return -1;
  }
  if (left.old > 0 || left.new > 0) return -1;
  return at < raw.length && isMarker(raw[at]?.text ?? "") ? at + 1 : at;
}

function take(left: { old: number; new: number }, line: DiffLine | undefined): void {
  const op = line === undefined ? null : opOf(line.text);
  if (op === " " || op === "-") left.old -= 1;
  if (op === " " || op === "+") left.new -= 1;
}

/** Null: a marker, which is no line. A line that has no sign is context that lost its space. */
function opOf(text: string): Op | null {
  const first = text[0];
  if (first === "+" || first === "-" || first === " ") return first;
  return isMarker(text) ? null : " ";
}

/** Whether nothing from `at` on changes anything. */
function isContext(raw: readonly DiffLine[], at: number): boolean {
  for (let index = at; index < raw.length; index++) {
    const first = raw[index]?.text[0];
    if (first === "+" || first === "-") return false;
  }
  return true;
}

/** Whether what begins at `at` is a text about the diff: it adds nothing, and what it "removes" are bullets. */
function isProse(raw: readonly DiffLine[], at: number): boolean {
  const first = raw[at]?.text ?? "";
  if (first !== "" && !isStray(first)) return false;
  for (let index = at; index < raw.length; index++) {
    const text = raw[index]?.text ?? "";
    if (text[0] === "+" || (text[0] === "-" && !BULLET.test(text))) return false;
  }
  return true;
}

function isStray(text: string): boolean {
  const first = text[0];
  return first !== undefined && first !== " " && first !== "+" && first !== "-" && !isMarker(text);
}

function isMarker(text: string): boolean {
  return (text[0] === "\\" || text[0] === "N") && MARKER.test(text);
}

/** Where a hunk without usable counts ends: with its last change and the context below that. */
function whereChangesEnd(raw: readonly DiffLine[], counts: Counts | null): number {
  const prose = whereProseStarts(raw);
  const end = beforeBlanks(raw, prose);
  return counts === null ? end : withWantedBlanks(raw, end, prose, counts);
}

function whereProseStarts(raw: readonly DiffLine[]): number {
  let sure = raw.length;
  while (sure > 0 && !isChange(raw[sure - 1]?.text ?? "")) sure -= 1;
  for (let at = sure; at < raw.length; at++) {
    const text = raw[at]?.text ?? "";
    if (isStray(text) && !text.startsWith("\t") && (isBlank(raw[at - 1]) || isContext(raw, at))) return at;
    if (BULLET.test(text) && isBlank(raw[at - 1])) return at;
  }
  return raw.length;
}

function isChange(text: string): boolean {
  return text[0] === "+" || (text[0] === "-" && !BULLET.test(text));
}

function beforeBlanks(raw: readonly DiffLine[], end: number): number {
  let at = end;
  while (at > 0 && isBlank(raw[at - 1])) at -= 1;
  return at;
}

function isBlank(line: DiffLine | undefined): boolean {
  return line?.text === "";
}

/** Blank lines at the end are context only if the counts ask for them: else they part the diff from what follows. */
function withWantedBlanks(raw: readonly DiffLine[], end: number, most: number, counts: Counts): number {
  const left = { ...counts };
  for (let at = 0; at < end; at++) take(left, raw[at]);
  const wanted = Math.max(0, Math.min(left.old, left.new));
  return Math.min(most, end + wanted);
}

function toLines(raw: readonly DiffLine[]): readonly HunkLine[] {
  const lines: HunkLine[] = [];
  for (const { text, end } of raw) {
    const op = opOf(text);
    const last = lines.at(-1);
    if (op !== null) lines.push(lineOf(op, text, end));
    else if (last !== undefined) lines[lines.length - 1] = { ...last, end: "" };
  }
  return lines;
}

function lineOf(op: Op, text: string, end: LineEnd): HunkLine {
  const bare = op === " " && text[0] !== " ";
  return { op, text: bare ? text : text.slice(1), end, bare };
}

/** The last line of a mail with a patch: two dashes, and git's version below them. */
export function isSignature(lines: readonly DiffLine[], at: number): boolean {
  return lines[at]?.text === SIGNATURE && /^\d+\.\d+[\w.]*/.test(lines[at + 1]?.text ?? "");
}
