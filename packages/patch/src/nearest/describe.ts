import { kindsOf, type LineDifference } from "./difference.js";
import { fit } from "./fit.js";
import { anchorsOf, clipEdge, isEdge, type Ends } from "./similarity.js";
import type { Alignment } from "./align.js";

export interface NearestBlock {
  /** Where it begins, from 1, and how many lines of the haystack stand for the needle. */
  readonly line: number;
  readonly lines: number;
  /** With partial ends: where in its first line it begins, and where in its last line it ends, in UTF-16 units. */
  readonly column: number;
  readonly endColumn: number;
  /** 1: the same to the letter. */
  readonly score: number;
  /** The first lines that differ, in order; `differing` counts them all. */
  readonly differences: readonly LineDifference[];
  readonly differing: number;
}

const MOST_DIFFERENCES = 40;
/** The highest score of what differs in anything. */
export const NOT_THE_SAME = 0.99;

export interface Texts {
  readonly haystack: readonly string[];
  readonly needle: readonly string[];
  readonly ends: Ends;
}

/** Null when no line has its like. */
export function describe(texts: Texts, alignment: Alignment): NearestBlock | null {
  const { haystack, needle } = texts;
  const pairs = complete(alignment.pairs, needle.length, haystack.length);
  const first = pairs.find((line) => line >= 0);
  const last = pairs.findLast((line) => line >= 0);
  if (first === undefined || last === undefined) return null;
  const column = pairs[0] === first ? edgeOf(texts, first, 0).from : 0;
  const own = needle.length - 1;
  const endColumn = pairs[own] === last ? edgeOf(texts, last, own).to : (haystack[last] ?? "").length;
  const cut = (line: number): string => {
    const text = haystack[line] ?? "";
    return text.slice(line === first ? column : 0, line === last ? endColumn : text.length);
  };
  const all = differencesOf(needle, pairs, first, cut);
  const score = all.length === 0 ? 1 : Math.min(NOT_THE_SAME, alignment.score);
  const differences = all.slice(0, MOST_DIFFERENCES).map(named);
  return { line: first + 1, lines: last - first + 1, column, endColumn, score, differences, differing: all.length };
}

/** Lines behind those that were aligned follow one by one. */
function complete(aligned: Int32Array, needle: number, haystack: number): Int32Array {
  if (aligned.length === needle) return aligned;
  const pairs = new Int32Array(needle).fill(-1);
  pairs.set(aligned);
  const from = aligned.findLastIndex((line) => line >= 0);
  for (let own = aligned.length; own < needle; own++) {
    const line = (aligned[from] ?? 0) + own - from;
    if (line < haystack) pairs[own] = line;
  }
  return pairs;
}

/** Where in its line the needle's first or last line stands. */
function edgeOf(
  { haystack, needle, ends }: Texts,
  line: number,
  own: number,
): { readonly from: number; readonly to: number } {
  const text = haystack[line] ?? "";
  const wanted = needle[own] ?? "";
  const anchors = anchorsOf(own, needle.length);
  if (!isEdge(anchors, wanted, ends) || text === wanted) return { from: 0, to: text.length };
  if (anchors.start && text.startsWith(wanted)) return { from: 0, to: wanted.length };
  if (anchors.end && text.endsWith(wanted)) return { from: text.length - wanted.length, to: text.length };
  const [edge, offset] = clipEdge(text, wanted.length, anchors);
  const found = fit(edge, wanted, anchors);
  return { from: offset + found.from, to: offset + found.to };
}

function differencesOf(
  needle: readonly string[],
  pairs: Int32Array,
  first: number,
  cut: (line: number) => string,
): readonly LineDifference[] {
  const differences: LineDifference[] = [];
  let next = first;
  for (const [own, wanted] of needle.entries()) {
    const line = pairs[own] ?? -1;
    if (line < 0) {
      differences.push({ line: next + 1, wanted, found: null, kinds: ["missing in the file"] });
      continue;
    }
    for (; next < line; next++) {
      differences.push({ line: next + 1, wanted: null, found: cut(next), kinds: ["only in the file"] });
    }
    const found = cut(line);
    if (found !== wanted) differences.push({ line: line + 1, wanted, found, kinds: [] });
    next = line + 1;
  }
  return differences;
}

function named(difference: LineDifference): LineDifference {
  const { wanted, found } = difference;
  return wanted === null || found === null ? difference : { ...difference, kinds: kindsOf(wanted, found) };
}
