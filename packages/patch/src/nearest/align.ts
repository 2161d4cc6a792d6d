import type { Similarity } from "./similarity.js";

export interface Alignment {
  /** For each line of the needle the line of the haystack that stands for it, or -1. */
  readonly pairs: Int32Array;
  /** 1: every line has its like, and nothing stands between them. */
  readonly score: number;
}

export interface Place {
  readonly haystack: readonly string[];
  readonly needle: readonly string[];
  /** Where in the haystack the needle's first line is supposed. */
  readonly start: number;
  readonly similarity: Similarity;
}

const STRANGERS = 0.5;
const GAP = 0.3;
const PAIR = 0;
const MISSING = 1;
const EXTRA = 2;

interface Table {
  /** Lines that the haystack may run ahead or behind, both together and one. */
  readonly width: number;
  /** The line of the haystack at the first cell. */
  readonly top: number;
  readonly values: Float64Array;
  readonly moves: Uint8Array;
}

/** Pairs lines near `start`; up to `drift` of them may be missing or too many on the way. */
export function align(place: Place): Alignment {
  const drift = Math.min(8, 2 + (place.needle.length >> 2));
  const width = 2 * drift + 1;
  const cells = (place.needle.length + 1) * width;
  const table: Table = {
    width,
    top: place.start - drift,
    values: new Float64Array(cells),
    moves: new Uint8Array(cells),
  };
  for (let own = 1; own <= place.needle.length; own++) {
    for (let shift = 0; shift < width; shift++) fillCell(table, place, own, shift);
  }
  return walkBack(table, place.needle);
}

function fillCell({ width, top, values, moves }: Table, place: Place, own: number, shift: number): void {
  const cell = own * width + shift;
  const line = top + own + shift - 1;
  const known = line >= 0 && line < place.haystack.length;
  const weight = weightOf(place.needle[own - 1] ?? "");
  const alike = known ? place.similarity(line, own - 1) : 0;
  let value = alike < STRANGERS ? Number.NEGATIVE_INFINITY : at(values, cell - width) + weight * alike;
  let move = PAIR;
  const missing = shift + 1 === width ? value : at(values, cell - width + 1) - GAP * weight;
  if (missing > value) [value, move] = [missing, MISSING];
  const extra = known && shift > 0 ? at(values, cell - 1) - GAP * weightOf(place.haystack[line] ?? "") : value;
  if (extra > value) [value, move] = [extra, EXTRA];
  values[cell] = value;
  moves[cell] = move;
}

function walkBack({ width, top, values, moves }: Table, needle: readonly string[]): Alignment {
  const last = needle.length * width;
  let shift = 0;
  for (let other = 1; other < width; other++) if (at(values, last + other) > at(values, last + shift)) shift = other;
  const all = needle.reduce((sum, line) => sum + weightOf(line), 0);
  const score = Math.max(0, at(values, last + shift) / all);
  const pairs = new Int32Array(needle.length).fill(-1);
  for (let own = needle.length; own > 0;) {
    const move = moves[own * width + shift];
    if (move === PAIR) pairs[own - 1] = top + own + shift - 1;
    if (move === EXTRA) shift -= 1;
    else own -= 1;
    if (move === MISSING) shift += 1;
  }
  return { pairs, score };
}

function at(values: Float64Array, cell: number): number {
  return values[cell] ?? 0;
}

/** Brackets and blank lines are everywhere: they must not outweigh what a block is about. */
function weightOf(line: string): number {
  const ink = line.trim().length;
  if (ink === 0) return 0.2;
  return ink < 3 ? 0.5 : 1;
}
