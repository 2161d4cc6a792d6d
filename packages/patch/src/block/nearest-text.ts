import { onlyAlikePlace } from "../nearest/alike.js";
import { MOST_LINES, nearestBlock, renderDifferences, type LineDifference } from "../nearest/nearest.js";
import { findNormalized } from "./normalized.js";
import { behindBlanks, LINE_ENDS } from "./shape.js";
import type { UnitText } from "./unit-text.js";

/** The place that is most like a block that does not occur. */
export interface NearestText {
  readonly line: number;
  readonly endLine: number;
  readonly score: number;
  /** What the file has there; cut if it is long. */
  readonly text: string;
  readonly cut: boolean;
  /** First line of the place, trimmed; cut if it is long. */
  readonly whole: string;
  /** The first lines that differ; `differing` counts them all. */
  readonly differences: readonly LineDifference[];
  readonly differing: number;
  readonly diff: string;
}

const TEXT_CHARS = 2000;
const WHOLE_CHARS = 160;
const MOST_BLOCK_LINES = 20_000;
const DIFF_CHARS = 1200;

export function nearestText(text: UnitText, units: string, block: string): NearestText | undefined {
  const haystack = text.decode(units).split("\n", MOST_LINES);
  const found = nearestBlock(haystack, block.split("\n", MOST_BLOCK_LINES), { ends: "partial" });
  if (found === null) return undefined;
  const { line, lines, column, endColumn, differences, differing } = found;
  const own = haystack.slice(line - 1, line - 1 + lines);
  const last = own.length - 1;
  own[last] = own[last]?.slice(0, endColumn) ?? "";
  own[0] = own[0]?.slice(column) ?? "";
  const whole = own.join("\n");
  const cut = whole.length > TEXT_CHARS;
  return {
    line,
    // A block that ends with the end of a line has nothing of the next.
    endLine: line + lines - (lines > 1 && endColumn === 0 ? 2 : 1),
    score: Math.round(found.score * 100) / 100,
    text: cut ? whole.slice(0, TEXT_CHARS) : whole,
    cut,
    whole: withHiddenNamed(shortened((haystack[line - 1] ?? "").trim())),
    differences,
    differing,
    diff: renderDifferences(differences, { maxChars: DIFF_CHARS }),
  };
}

// Characters that look like a plain space or like nothing, so a reader would not copy them.
const HIDDEN = /[\u007f-\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff]/g;

export function withHiddenNamed(text: string): string {
  return text.replaceAll(HIDDEN, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function shortened(line: string): string {
  return line.length <= WHOLE_CHARS ? line : `${line.slice(0, WHOLE_CHARS).replace(/[\ud800-\udbff]$/, "")}…`;
}

/**
 * Whole lines that occur once and can replace a block, because no other lines of the file are nearly like the block.
 */
export interface StandIn {
  readonly text: string;
  readonly line: number;
  readonly endLine: number;
}

const LEAST_CHARS = 12;

export function standInFor(text: UnitText, units: string, block: string): StandIn | undefined {
  const haystack = text.decode(units).split("\n", MOST_LINES);
  const lines = block.split("\n", MOST_BLOCK_LINES);
  const isClosed = lines.length > 1 && lines.at(-1) === "";
  const wanted = isClosed ? lines.slice(0, -1) : lines;
  const start = onlyAlikePlace(haystack, wanted);
  if (start === undefined) return undefined;
  const found = haystack.slice(start, start + wanted.length).map(withoutReturn);
  // A block without indentation in its first line leaves that indentation in the file.
  const isOpen = leadOf(wanted[0] ?? "") === "";
  const own = found.map((line, nth) => (nth === 0 && isOpen ? line.slice(leadOf(line).length) : line));
  if (own.some((line, nth) => leadOf(line) !== leadOf(wanted[nth] ?? ""))) return undefined;
  const made = `${own.join("\n")}${isClosed ? "\n" : ""}`;
  const isUnique = findNormalized(units, text.encode(made), LINE_ENDS, 0).count === 1;
  if (made.trim().length < LEAST_CHARS || !isUnique) return undefined;
  return { text: made, line: start + 1, endLine: start + wanted.length };
}

function leadOf(line: string): string {
  return line.slice(0, behindBlanks(line, 0, line.length));
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
