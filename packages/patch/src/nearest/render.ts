import type { LineDifference } from "./difference.js";
import { isLookAlike } from "./look-alikes.js";

export interface RenderLimits {
  /** Of the whole text. */
  readonly maxChars: number;
  /** Of a line; a longer one is shown around its first difference. */
  readonly maxLineChars?: number;
}

const ELLIPSIS = "…";

/**
 * A small diff for a model: "-" is what was asked for, "+" what the file has. Whitespace is shown where it differs
 * (· space, → tab, ␍ carriage return, ⏎ where only the end tells); lines in a row that differ alike are shown by one.
 */
export function renderDifferences(differences: readonly LineDifference[], limits: RenderLimits): string {
  const blocks: string[] = [];
  // What is left out is said in the room for a line end and the mark.
  let room = limits.maxChars - 2;
  for (const run of runsOf(differences)) {
    const block = renderRun(run, limits.maxLineChars ?? 160);
    if (block.length + 1 > room) {
      blocks.push(ELLIPSIS);
      break;
    }
    blocks.push(block);
    room -= block.length + 1;
  }
  return blocks.join("\n").slice(0, limits.maxChars);
}

interface Run {
  readonly first: LineDifference;
  readonly last: LineDifference;
  readonly count: number;
}

function runsOf(differences: readonly LineDifference[]): readonly Run[] {
  const runs: Run[] = [];
  for (const one of differences) {
    const run = runs.at(-1);
    const joins = run !== undefined && one.wanted !== null && one.found !== null && sameSlips(run.first, one);
    if (joins) runs[runs.length - 1] = { ...run, last: one, count: run.count + 1 };
    else runs.push({ first: one, last: one, count: 1 });
  }
  return runs;
}

function sameSlips(one: LineDifference, other: LineDifference): boolean {
  if (one.wanted === null || one.found === null) return false;
  return !one.kinds.includes("text") && one.kinds.join() === other.kinds.join();
}

function renderRun({ first, last, count }: Run, width: number): string {
  const where = count === 1 ? `line ${first.line}` : `lines ${first.line}-${last.line} (${count})`;
  const column = firstDifference(first);
  const show = (sign: string, text: string | null): readonly string[] =>
    text === null ? [] : [`${sign} ${visible(...windowOf(text, column, width), first)}`];
  return [`${where}: ${first.kinds.join(", ")}`, ...show("-", first.wanted), ...show("+", first.found)].join("\n");
}

function firstDifference({ wanted, found }: LineDifference): number {
  if (wanted === null || found === null) return 0;
  let at = 0;
  while (at < wanted.length && wanted.charCodeAt(at) === found.charCodeAt(at)) at += 1;
  return at;
}

/** The text, and whether it was cut before and behind. */
function windowOf(text: string, column: number, width: number): readonly [string, boolean, boolean] {
  if (text.length <= width) return [text, false, false];
  const from = Math.max(0, Math.min(column - Math.floor(width / 2), text.length - width));
  return [text.slice(from, from + width), from > 0, from + width < text.length];
}

function visible(text: string, before: boolean, behind: boolean, { kinds }: LineDifference): string {
  const every = kinds.includes("spacing");
  const lead = kinds.includes("indentation") ? text.length - text.trimStart().length : 0;
  const trail = kinds.includes("trailing whitespace") ? text.trimEnd().length : text.length;
  const shown = Array.from(text, (char, at) => {
    if (char === " ") return every || at < lead || at >= trail ? "·" : char;
    return shownAs(char, kinds.includes("look-alike characters"));
  });
  return `${before ? ELLIPSIS : ""}${shown.join("")}${behind ? ELLIPSIS : ""}`;
}

function shownAs(char: string, named: boolean): string {
  if (char === "\t") return "→";
  if (char === "\r") return "␍";
  const code = char.codePointAt(0) ?? 0;
  const hidden = code < 0x20 || (code >= 0x7f && code < 0xa1) || (isLookAlike(char) && char.trim() === "");
  if (hidden || isInvisible(code)) return `<${name(code)}>`;
  return named && code > 0x7e ? `${char}<${name(code)}>` : char;
}

function isInvisible(code: number): boolean {
  return code === 0xad || code === 0xfeff || (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x2060);
}

function name(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
