import { distance } from "fastest-levenshtein";

/** Least likeness of each line of a block to its line at the place. */
const LEAST_ALIKE = 0.8;
/** Least likeness that makes a second place a rival, so neither place can be chosen. */
const LEAST_RIVAL = 0.7;
const LONGEST_LINE = 2000;
const MOST_LINES = 200;
/** Character comparisons (products of line lengths) after which the search gives up, about 100 ms. */
const MOST_WORK = 1_000_000_000;

/** Returns the only place, from 0, at which every trimmed line is nearly like its line of the block. */
export function onlyAlikePlace(haystack: readonly string[], needle: readonly string[]): number | undefined {
  if (needle.length > MOST_LINES) return undefined;
  const wanted = needle.map((line) => line.trim());
  const pivot = longestIn(wanted);
  let work = 0;
  const likeness = (start: number, own: number): number => {
    const [there, line] = [(haystack[start + own] ?? "").trim(), wanted[own] ?? ""];
    work += Math.min(there.length, LONGEST_LINE) * Math.min(line.length, LONGEST_LINE);
    return likenessOf(there, line);
  };
  const leastAt = (start: number): number => {
    let least = likeness(start, pivot);
    for (let own = 0; own < wanted.length && least >= LEAST_RIVAL; own++) least = Math.min(least, likeness(start, own));
    return least;
  };
  let only: { readonly start: number; readonly least: number } | undefined;
  for (let start = 0; start + wanted.length <= haystack.length; start++) {
    const least = leastAt(start);
    if (work > MOST_WORK) return undefined;
    if (least < LEAST_RIVAL) continue;
    if (only !== undefined) return undefined;
    only = { start, least };
  }
  return only !== undefined && only.least >= LEAST_ALIKE ? only.start : undefined;
}

function longestIn(lines: readonly string[]): number {
  return lines.reduce((best, line, own) => (line.length > (lines[best]?.length ?? 0) ? own : best), 0);
}

/** Returns 1 for equal lines, and 0 without a full comparison for lines too unlike to matter. */
export function likenessOf(one: string, other: string): number {
  if (one === other) return 1;
  const longer = Math.max(one.length, other.length);
  if (longer > LONGEST_LINE || Math.min(one.length, other.length) < longer * LEAST_RIVAL) return 0;
  return 1 - distance(one, other) / longer;
}
