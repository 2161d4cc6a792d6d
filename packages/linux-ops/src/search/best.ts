import type { Pace } from "./pace.js";

/** The `count` first of an order, in that order, without sorting the rest. Of equals the one that came first. */
export async function best<T>(
  items: Iterable<T>,
  count: number,
  compare: (a: T, b: T) => number,
  pace: Pace,
): Promise<T[]> {
  const kept: T[] = [];
  for (const item of items) {
    if (pace.due()) await pace.rest();
    const last = kept[count - 1];
    if (last !== undefined && compare(item, last) >= 0) continue;
    kept.splice(placeOf(kept, item, compare), 0, item);
    if (kept.length > count) kept.pop();
  }
  return kept;
}

function placeOf<T>(kept: readonly T[], item: T, compare: (a: T, b: T) => number): number {
  let low = 0;
  let high = kept.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(kept[middle] as T, item) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
