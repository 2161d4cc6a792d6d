import { align, type Alignment } from "./align.js";
import { describe, NOT_THE_SAME, type NearestBlock } from "./describe.js";
import { kindsOf } from "./difference.js";
import { nearestPart } from "./part.js";
import { similarityOf, type Ends } from "./similarity.js";
import { countVotes } from "./votes.js";

export type { NearestBlock } from "./describe.js";
export type { LineDifference } from "./difference.js";
export { renderDifferences } from "./render.js";

export interface NearestOptions {
  /** Characters of the haystack that are read, and some for each line; comparing is bounded in proportion. */
  readonly budget?: number;
  readonly ends?: Ends;
  /** Of places that are as much alike the nearest to this line, from 0. */
  readonly near?: number;
}

/** 4 million characters take about 50 ms. */
const DEFAULT_BUDGET = 4_000_000;
const CANDIDATES = 6;
const LEAST_CANDIDATES = 2;
// Of a longer needle the head is aligned, and the rest taken line by line.
const LONGEST_ALIGNED = 1000;
const LEAST_SCORE = 0.4;
// Where a whole line is there to the letter.
const LEAST_WITH_LINE = 0.2;
const SHORTEST_LINE = 4;
const SAME_SCORE = 1e-6;

// A line takes time even if there is nothing in it.
const COST_OF_A_LINE = 10;

/** More lines are not read within the budget that a caller has who gives none. */
export const MOST_LINES = DEFAULT_BUDGET / COST_OF_A_LINE;

/** Where lines stand that are most like the needle's, or null when nothing is like them. Lines come without their "\n". */
export function nearestBlock(
  haystack: readonly string[],
  needle: readonly string[],
  { budget = DEFAULT_BUDGET, ends = "whole", near = 0 }: NearestOptions = {},
): NearestBlock | null {
  const [only] = needle;
  if (only === undefined) return null;
  const within = linesWithin(haystack, budget);
  if (needle.length === 1 && ends === "partial") return nearestFragment(within, only, budget);
  const head = needle.slice(0, LONGEST_ALIGNED);
  const most = Math.max(LEAST_CANDIDATES, Math.min(CANDIDATES, Math.floor(LONGEST_ALIGNED / needle.length)));
  const similarity = similarityOf(within, needle, ends, budget / 2);
  const [first, ...others] = countVotes(within, head, most, near).map(({ start }) => ({
    ...align({ haystack: within, needle: head, start, similarity }),
    off: Math.abs(start - near),
  }));
  if (first === undefined) return null;
  const best = others.reduce((one, other) => (isBetter(other, one) ? other : one), first);
  const least = hasLine(within, head, best) ? LEAST_WITH_LINE : LEAST_SCORE;
  return best.score < least ? null : describe({ haystack: within, needle, ends }, best);
}

function hasLine(haystack: readonly string[], needle: readonly string[], { pairs }: Alignment): boolean {
  return needle.some((line, own) => line.trim().length >= SHORTEST_LINE && haystack[pairs[own] ?? -1] === line);
}

interface Ranked {
  readonly score: number;
  readonly off: number;
}

function isBetter(one: Ranked, other: Ranked): boolean {
  const more = one.score - other.score;
  return Math.abs(more) < SAME_SCORE ? one.off < other.off : more > 0;
}

function linesWithin(haystack: readonly string[], budget: number): readonly string[] {
  let left = budget;
  for (let line = 0; line < haystack.length; line++) {
    left -= (haystack[line]?.length ?? 0) + COST_OF_A_LINE;
    if (left < 0) return haystack.slice(0, Math.max(1, line));
  }
  return haystack;
}

function nearestFragment(haystack: readonly string[], wanted: string, budget: number): NearestBlock | null {
  const part = nearestPart(haystack, wanted, budget);
  if (part === undefined || part.similarity < LEAST_SCORE) return null;
  const line = part.line + 1;
  const found = (haystack[part.line] ?? "").slice(part.from, part.to);
  const kinds = kindsOf(wanted, found);
  const differences = kinds.length === 0 ? [] : [{ line, wanted, found, kinds }];
  return {
    line,
    lines: 1,
    column: part.from,
    endColumn: part.to,
    score: differences.length === 0 ? 1 : Math.min(NOT_THE_SAME, part.similarity),
    differences,
    differing: differences.length,
  };
}
