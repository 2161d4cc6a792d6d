import { align } from "./nearest/align.js";
import { describe, NOT_THE_SAME, type NearestBlock } from "./nearest/describe.js";
import { kindsOf } from "./nearest/difference.js";
import { nearestPart } from "./nearest/part.js";
import { similarityOf, type Ends } from "./nearest/similarity.js";
import { countVotes } from "./nearest/votes.js";

export type { NearestBlock } from "./nearest/describe.js";
export type { DifferenceKind, LineDifference } from "./nearest/difference.js";
export { renderDifferences, type RenderLimits } from "./nearest/render.js";

export interface NearestOptions {
  /** Characters of the haystack that are read; comparing is bounded in proportion. */
  readonly budget?: number;
  readonly ends?: Ends;
}

/** 4 million characters take about 50 ms. */
const DEFAULT_BUDGET = 4_000_000;
const CANDIDATES = 6;
const LEAST_CANDIDATES = 2;
// Of a longer needle the head is aligned, and the rest taken line by line.
const LONGEST_ALIGNED = 1000;
const LEAST_SCORE = 0.4;

/** Where lines stand that are most like the needle's, or null when nothing is like them. Lines come without their "\n". */
export function nearestBlock(
  haystack: readonly string[],
  needle: readonly string[],
  { budget = DEFAULT_BUDGET, ends = "whole" }: NearestOptions = {},
): NearestBlock | null {
  const [only] = needle;
  if (only === undefined) return null;
  if (needle.length === 1 && ends === "partial") return nearestFragment(haystack, only, budget);
  const head = needle.slice(0, LONGEST_ALIGNED);
  const most = Math.max(LEAST_CANDIDATES, Math.min(CANDIDATES, Math.floor(LONGEST_ALIGNED / needle.length)));
  const similarity = similarityOf(haystack, needle, ends, budget / 2);
  const aligned = countVotes(haystack, head, { most, budget }).map(({ start }) =>
    align({ haystack, needle: head, start, similarity }),
  );
  const [first, ...others] = aligned;
  if (first === undefined) return null;
  const best = others.reduce((one, other) => (other.score > one.score ? other : one), first);
  return best.score < LEAST_SCORE ? null : describe({ haystack, needle, ends }, best);
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
