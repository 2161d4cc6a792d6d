import { groupBy } from "./group-by.js";

/** Share of the lines that have the usual number of a column. */
const USUAL = 0.8;
/** Times the number that nine of ten lines stay below. */
const FAR = 10;
const MOST = 10;
const NUMBER = /\d+(?:\.\d+)?/g;

/**
 * Finds the lines that a count would hide, among lines that differ in numbers only: a number that is not the usual one
 * of its column, such as one exit code of 1 among zeros, or that is far larger than the others.
 */
export function oddNumbers(lines: readonly string[]): ReadonlySet<string> {
  const rows = lines.map((line) => line.match(NUMBER) ?? []);
  const [first = []] = rows;
  const odd = new Set<string>();
  if (rows.some(({ length }) => length !== first.length)) return odd;
  for (const column of first.keys()) {
    const values = rows.map((row) => Number(row[column]));
    const isOdd = oddOf(values);
    lines.forEach((line, at) => {
      if (isOdd(values[at] ?? 0) && odd.size < MOST) odd.add(line);
    });
  }
  return odd;
}

function oddOf(values: readonly number[]): (value: number) => boolean {
  const counts = [...groupBy(values, (value) => value)].toSorted(([, one], [, other]) => other.length - one.length);
  const [usual, same = []] = counts[0] ?? [];
  if (same.length >= USUAL * values.length) return (value) => value !== usual;
  const sorted = values.toSorted((one, other) => one - other);
  const bound = FAR * (sorted[Math.floor(0.9 * (sorted.length - 1))] ?? 0);
  return (value) => bound > 0 && value > bound;
}
