import { isSignature, readBody } from "./hunk-body.js";
import { parseHunkHeader, type Counts, type HunkHeader } from "./hunk-header.js";
import type { DiffLine, Hunk } from "./plan.js";
import { tooMany } from "./refusals.js";

export interface DiffText {
  readonly lines: readonly DiffLine[];
  /** A fence was opened above: the next one ends what it holds. */
  readonly fenced: boolean;
  readonly quota: HunkQuota;
}

/** How many hunks the whole diff may still have. */
export interface HunkQuota {
  readonly limit: number;
  used: number;
}

export interface HunksRead {
  readonly hunks: readonly Hunk[];
  readonly next: number;
}

export const DIRECTIVE = /^\*\*\* (?:Begin Patch|End Patch|End of File|\w{1,20} File:|(?:Move|Rename|Copy) )/;
export const FENCE = /^ {0,3}(?:`{3}|~{3})/;
const END_OF_FILE = "*** End of File";
const LONGEST_HEADER = 60;

/** The hunks of one file, from `at` on. Those that change nothing are left out. */
export function readHunks(diff: DiffText, at: number): HunksRead {
  const hunks: Hunk[] = [];
  let anchors: string[] = [];
  let next = afterBlanks(diff, at);
  for (let number = 1; isHunkHeader(diff, next) || (next === at && isBodyLine(diff, next));) {
    const { header, text, body } = readHeader(diff, next);
    if (header.anchor !== null) anchors.push(header.anchor);
    next = whereBodyEnds(diff, body, header.counts);
    const { lines, repaired } = readBody(diff.lines.slice(body, next), header.counts);
    const atEnd = diff.lines[next]?.text.trimEnd() === END_OF_FILE;
    if (atEnd) next += 1;
    // `@@ class A` right above `@@ def f` says where f is.
    if (lines.length === 0 && header.anchor !== null) continue;
    const changes = lines.some((line) => line.op !== " ");
    diff.quota.used += 1;
    if (diff.quota.used > diff.quota.limit) throw tooMany("hunks", diff.quota.limit);
    const { line, section } = header;
    if (changes) hunks.push({ number, header: text, line, anchors, section, atEnd, lines, repaired });
    anchors = [];
    number += 1;
  }
  return { hunks, next };
}

/** The first hunk may stand some blank lines below the names. */
function afterBlanks(diff: DiffText, at: number): number {
  let next = at;
  while (diff.lines[next]?.text === "") next += 1;
  return isHunkHeader(diff, next) ? next : at;
}

function readHeader(
  { lines }: DiffText,
  at: number,
): { readonly header: HunkHeader; readonly text: string; readonly body: number } {
  const text = lines[at]?.text ?? "";
  if (!text.startsWith("@@"))
    return { header: { line: null, counts: null, anchor: null, section: null }, text: "@@", body: at };
  const close = text.indexOf("@@", 2);
  const shown = text.slice(0, Math.min(LONGEST_HEADER, close === -1 ? text.length : close + 2)).trimEnd();
  return { header: parseHunkHeader(text), text: shown, body: at + 1 };
}

function isHunkHeader({ lines }: DiffText, at: number): boolean {
  return lines[at]?.text.startsWith("@@") ?? false;
}

/** A hunk whose header was left out. */
function isBodyLine(diff: DiffText, at: number): boolean {
  const first = diff.lines[at]?.text[0];
  return (first === " " || first === "+" || first === "-") && !endsHunk(diff, at, null);
}

function whereBodyEnds(diff: DiffText, body: number, counts: Counts | null): number {
  const left = counts === null ? null : { ...counts };
  let at = body;
  for (; at < diff.lines.length && !endsHunk(diff, at, left); at++) {
    const first = diff.lines[at]?.text[0];
    if (left !== null && first !== "+" && first !== "\\") left.old -= 1;
    if (left !== null && first !== "-" && first !== "\\") left.new -= 1;
  }
  return at;
}

function endsHunk(diff: DiffText, at: number, left: Counts | null): boolean {
  const text = diff.lines[at]?.text ?? "";
  switch (text[0]) {
    case "@":
      return text.startsWith("@@");
    case "d":
      return text.startsWith("diff -");
    case "*":
      return DIRECTIVE.test(text);
    case "I":
      return text.startsWith("Index: ") && (diff.lines[at + 1]?.text.startsWith("=====") ?? false);
    case "`":
    case "~":
      return diff.fenced && FENCE.test(text);
    case "-":
      return isSignature(diff.lines, at) || isFileHeader(diff.lines, at, left);
    default:
      return false;
  }
}

/** Whether two lines that a body could hold as well are the header of the next file. `left`: what the counts still expect. */
function isFileHeader(lines: readonly DiffLine[], at: number, left: Counts | null): boolean {
  const [old, fresh, below] = [lines[at]?.text ?? "", lines[at + 1]?.text ?? "", lines[at + 2]?.text ?? ""];
  if (!old.startsWith("--- ") || !fresh.startsWith("+++ ")) return false;
  if (left !== null && (left.old <= 0 || left.new <= 0)) return true;
  const named = namesFile(old) && namesFile(fresh);
  if (below.startsWith("@@")) return named || left === null || left.old !== 1 || left.new !== 1;
  return named && (left === null || fresh.startsWith("+++ /dev/null"));
}

function namesFile(text: string): boolean {
  const [name = ""] = text.slice(4).split("\t", 1);
  return /[/.]/.test(name) && !/^\S+ \S+ \S/.test(name);
}
