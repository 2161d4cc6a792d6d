import type { FileText } from "./file-text.js";
import { keyOfLine, type View } from "./views.js";

/** Steps that searches in one file may take together. A hostile file makes each search as long as the file. */
export interface Budget {
  left: number;
}

/** Finds rows of lines in a file. Lines are numbers here: equal ones, for the view, have the same. */
export interface LineSearch {
  /** -1: no line of the file is like it. */
  numberOf(key: string): number;
  /** The first `most` places at `from` or below. */
  downFrom(row: readonly number[], from: number, most: number): number[];
  /** The two places that are nearest, of those at `floor` or below. */
  around(row: readonly number[], expected: number, floor: number): number[];
}

/** `wanted`: the keys of all lines that will be looked for. */
export function createLineSearch(file: FileText, view: View, wanted: ReadonlySet<string>, budget: Budget): LineSearch {
  const numbers = new Map([...wanted].map((key, number) => [key, number]));
  const lines = new Int32Array(file.count);
  const ends = new Int32Array(wanted.size + 1);
  for (let index = 0; index < lines.length; index++) {
    const number = numbers.get(keyOfLine(view, file, index)) ?? -1;
    lines[index] = number;
    if (number !== -1) ends[number + 1] = (ends[number + 1] ?? 0) + 1;
  }
  for (let number = 1; number < ends.length; number++) ends[number] = (ends[number] ?? 0) + (ends[number - 1] ?? 0);
  const places = group(lines, ends);

  function placesOf(number: number): Int32Array {
    return number === -1 ? places.subarray(0, 0) : places.subarray(ends[number], ends[number + 1]);
  }

  function fits(row: readonly number[], start: number): boolean {
    if (start < 0 || start + row.length > lines.length) return false;
    let at = 0;
    while (at < row.length && lines[start + at] === row[at]) at += 1;
    budget.left -= at + 1;
    return at === row.length;
  }

  /** Of a row's lines the one that is rarest in the file: only where it stands can the row stand. */
  function anchorOf(row: readonly number[]): { readonly at: number; readonly places: Int32Array } {
    let best = { at: 0, places: placesOf(row[0] ?? -1) };
    for (let at = 1; at < row.length && best.places.length > 0; at++) {
      const other = placesOf(row[at] ?? -1);
      if (other.length < best.places.length) best = { at, places: other };
    }
    budget.left -= row.length;
    return best;
  }

  return {
    numberOf: (key) => numbers.get(key) ?? -1,
    downFrom(row, from, most) {
      const anchor = anchorOf(row);
      const found: number[] = [];
      for (let nth = firstFrom(anchor.places, from + anchor.at); nth < anchor.places.length; nth++) {
        if (found.length === most || budget.left < 0) break;
        const start = (anchor.places[nth] ?? 0) - anchor.at;
        if (fits(row, start)) found.push(start);
      }
      return found;
    },
    around(row, expected, floor) {
      const anchor = anchorOf(row);
      const target = expected + anchor.at;
      const found: number[] = [];
      let below = firstFrom(anchor.places, target);
      let above = below - 1;
      while (found.length < 2 && budget.left >= 0 && (above >= 0 || below < anchor.places.length)) {
        const up = above < 0 ? Number.POSITIVE_INFINITY : target - (anchor.places[above] ?? 0);
        const down = below === anchor.places.length ? Number.POSITIVE_INFINITY : (anchor.places[below] ?? 0) - target;
        const start = (up < down ? (anchor.places[above--] ?? 0) : (anchor.places[below++] ?? 0)) - anchor.at;
        if (start >= floor && fits(row, start)) found.push(start);
      }
      return found;
    },
  };
}

/** The lines' indices, by the number of the line. `ends` holds where each number's indices begin. */
function group(lines: Int32Array, ends: Int32Array): Int32Array {
  const places = new Int32Array(ends.at(-1) ?? 0);
  const next = ends.slice();
  for (let index = 0; index < lines.length; index++) {
    const number = lines[index] ?? -1;
    if (number === -1) continue;
    const at = next[number] ?? 0;
    places[at] = index;
    next[number] = at + 1;
  }
  return places;
}

function firstFrom(sorted: Int32Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
