import { MOST_LINES, nearestBlock, renderDifferences, type LineDifference } from "../nearest/nearest.js";
import { occurrencesOf } from "./find.js";
import type { UnitText } from "./unit-text.js";

/** The place that is most like a block that does not occur. */
export interface NearestText {
  readonly line: number;
  readonly endLine: number;
  readonly score: number;
  /** What the file has there; cut if it is long. */
  readonly text: string;
  readonly cut: boolean;
  /** How often the text occurs; 0 if it cannot be named, as it holds bytes that are no text. */
  readonly occurrences: number;
  /** The first lines that differ; `differing` counts them all. */
  readonly differences: readonly LineDifference[];
  readonly differing: number;
  readonly diff: string;
}

const TEXT_CHARS = 2000;
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
    occurrences: whole === "" ? 0 : occurrencesOf(units, text.encode(whole), 0).count,
    differences,
    differing,
    diff: renderDifferences(differences, { maxChars: DIFF_CHARS }),
  };
}
