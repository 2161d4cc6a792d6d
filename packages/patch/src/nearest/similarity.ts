import { distance } from "fastest-levenshtein";
import { fit, LONGEST_FIT, type Anchors } from "./fit.js";
import { FOLD } from "./look-alikes.js";

/** "partial": the needle's first line may be the end of a line, and its last one a beginning. */
export type Ends = "whole" | "partial";

/** How alike a line of the haystack and one of the needle are: 1 the same, 0 strangers. */
export type Similarity = (line: number, own: number) => number;

// Only what is the same to the letter is 1; what has the same ink comes next.
const SAME_INK = 0.95;
const MOST_ALIKE = 0.94;
const CLIP = 400;

/** `budget` bounds the products of the lengths that are compared; when it is spent, only equal ink is alike. */
export function similarityOf(
  haystack: readonly string[],
  needle: readonly string[],
  ends: Ends,
  budget: number,
): Similarity {
  const wantedInks = inksOf(needle);
  const inks = inksOf(haystack);
  let left = budget;
  const affordable = (cost: number): boolean => (left -= cost) >= 0;
  return (line, own) => {
    const there = haystack[line] ?? "";
    const wanted = needle[own] ?? "";
    if (there === wanted) return 1;
    const anchors = anchorsOf(own, needle.length);
    if (isEdge(anchors, wanted, ends)) return edgeSimilarity(there, wanted, anchors, affordable);
    if (tooUnlike(there, wanted)) return 0;
    if (inks(line) === wantedInks(own)) return SAME_INK;
    const [one, other] = differing(there.trim(), wanted.trim());
    if (!affordable((one.length * other.length) / 16 + 16)) return 0;
    const longer = Math.max(there.length, wanted.length, 1);
    return Math.min(MOST_ALIKE, Math.max(0, 1 - distance(one, other) / longer));
  };
}

/** The edges of a longer line are not looked for: what is found could not be shown whole. */
export const LONGEST_EDGE = 2000;

export function isEdge(anchors: Anchors, wanted: string, ends: Ends): boolean {
  return ends === "partial" && !(anchors.start && anchors.end) && wanted.length <= LONGEST_EDGE;
}

export function anchorsOf(own: number, lines: number): Anchors {
  return { start: own > 0, end: own < lines - 1 };
}

function edgeSimilarity(
  there: string,
  wanted: string,
  anchors: Anchors,
  affordable: (cost: number) => boolean,
): number {
  if (anchors.start ? there.startsWith(wanted) : there.endsWith(wanted)) return 1;
  const [edge] = clipEdge(there, wanted.length, anchors);
  if (!affordable(edge.length * Math.min(wanted.length, LONGEST_FIT))) return 0;
  const { from, to, similarity } = fit(edge, wanted, anchors);
  return inkOf(edge.slice(from, to)) === inkOf(wanted) ? SAME_INK : Math.min(MOST_ALIKE, similarity);
}

/** Of a long line the end at which the part must stand, and where that begins. */
export function clipEdge(line: string, wanted: number, { start }: Anchors): readonly [string, number] {
  const room = wanted * 2 + 200;
  if (start || line.length <= room) return [line.slice(0, room), 0];
  return [line.slice(-room), line.length - room];
}

function tooUnlike(one: string, other: string): boolean {
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  return shorter.length * 3 + 64 < longer.length;
}

/** A number for each line that two share if all that tells them apart is whitespace, case or look-alikes. */
function inksOf(lines: readonly string[]): (line: number) => number {
  const known = new Map<number, number>();
  return (line) => {
    const before = known.get(line);
    if (before !== undefined) return before;
    const ink = inkOf(lines[line] ?? "");
    known.set(line, ink);
    return ink;
  };
}

function inkOf(line: string): number {
  let ink = 0;
  for (let at = 0; at < line.length; at++) {
    const unit = FOLD[line.charCodeAt(at)] ?? 0;
    if (unit !== 0) ink = Math.imul(ink ^ unit, 0x0100_0193) + unit;
  }
  return ink | 0;
}

/** What is left of both without the beginning and the end that they share. */
function differing(one: string, other: string): readonly [string, string] {
  const most = Math.min(one.length, other.length);
  let head = 0;
  while (head < most && one.charCodeAt(head) === other.charCodeAt(head)) head += 1;
  let tail = 0;
  while (tail < most - head && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
  const clip = (text: string): string => text.slice(head, Math.min(text.length - tail, head + CLIP));
  return [clip(one), clip(other)];
}
