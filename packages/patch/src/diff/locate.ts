import type { FileText } from "./file-text.js";
import { createLineSearch, type Budget, type LineSearch } from "./line-search.js";
import type { Hunk, HunkLine } from "./plan.js";
import { oldLines, readingsOf, type Reading } from "./readings.js";
import { keyOf, keyOfLine, type View } from "./views.js";

/** Where a hunk is looked for, from 0. */
export interface Where {
  /** By the header's number and what earlier hunks were off by. */
  readonly expected: number | null;
  /** Earlier hunks reach down to here. */
  readonly floor: number;
  /** Below the lines that the header names. */
  readonly anchor: { readonly line: number; readonly sure: boolean } | null;
  readonly atEnd: boolean;
}

export type Spot = { readonly start: number } | { readonly candidates: readonly number[] };

export interface Locator {
  fitsAt(lines: readonly HunkLine[], view: View, start: number): boolean;
  /** Undefined: nowhere. */
  locate(lines: readonly HunkLine[], view: View, where: Where): Spot | undefined;
  readonly budget: Budget;
}

const MOST_CANDIDATES = 10;

export function createLocator(file: FileText, hunks: readonly Hunk[], budget: Budget): Locator {
  const searches = new Map<View, LineSearch>();
  const key = (view: View, line: HunkLine): string => keyOf(view, line.text, line.end, file);

  function searchBy(view: View): LineSearch {
    const known = searches.get(view);
    if (known !== undefined) return known;
    const lines = hunks.flatMap(readingsOf).flatMap((reading: Reading) => reading.lines);
    const made = createLineSearch(file, view, new Set(lines.map((line) => key(view, line))), budget);
    searches.set(view, made);
    return made;
  }

  return {
    budget,
    fitsAt(lines, view, start) {
      const old = oldLines(lines);
      if (start < 0 || start + old.length > file.count) return false;
      return old.every((line, at) => keyOfLine(view, file, start + at) === key(view, line));
    },
    locate(lines, view, where) {
      const search = searchBy(view);
      const row = oldLines(lines).map((line) => search.numberOf(key(view, line)));
      return where.expected === null
        ? unnumbered(search, row, where, file)
        : nearest(search, row, where.expected, where.floor);
    },
  };
}

/** The nearest of two places only if it is clearly nearer: a number that is far off says nothing. */
function nearest(search: LineSearch, row: readonly number[], expected: number, floor: number): Spot | undefined {
  const [one, other] = search.around(row, expected, floor);
  if (one === undefined) return floor === 0 ? undefined : nearest(search, row, expected, 0);
  if (other === undefined || Math.abs(one - expected) * 2 < Math.abs(other - expected)) return { start: one };
  return { candidates: [one, other].sort((a, b) => a - b) };
}

function unnumbered(search: LineSearch, row: readonly number[], where: Where, file: FileText): Spot | undefined {
  const below = search.downFrom(row, where.floor, MOST_CANDIDATES);
  const all = below.length === 0 && where.floor > 0 ? search.downFrom(row, 0, MOST_CANDIDATES) : below;
  const last = file.count - row.length;
  if (where.atEnd && all.length > 1 && search.downFrom(row, last, 1).length > 0) return { start: last };
  return where.anchor === null ? oneOf(all) : belowAnchor(search, row, where.floor, where.anchor);
}

/** The first place below the line that the header names; it may be a line of the hunk. */
function belowAnchor(
  search: LineSearch,
  row: readonly number[],
  floor: number,
  { line, sure }: NonNullable<Where["anchor"]>,
): Spot | undefined {
  const below = search.downFrom(row, Math.max(floor, line + 1 - row.length), sure ? 1 : MOST_CANDIDATES);
  return oneOf(below);
}

export function oneOf(places: readonly number[]): Spot | undefined {
  const [only] = places;
  if (only === undefined) return undefined;
  return places.length === 1 ? { start: only } : { candidates: places };
}
