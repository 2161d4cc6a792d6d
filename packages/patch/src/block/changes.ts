/** What one edit replaces: three lists of the same length, in order and without overlaps. */
export interface Changes {
  readonly froms: readonly number[];
  readonly tos: readonly number[];
  readonly texts: readonly string[];
}

export const NO_CHANGES: Changes = { froms: [], tos: [], texts: [] };

const ROPE_PARTS = 32;

export function apply(units: string, { froms, tos, texts }: Changes): string {
  const parts: string[] = [];
  let done = 0;
  for (const [nth, text] of texts.entries()) {
    parts.push(units.slice(done, froms[nth]), text);
    done = tos[nth] ?? done;
  }
  parts.push(units.slice(done));
  // A few parts stay a rope, which is written out once, when it becomes bytes.
  return parts.length <= ROPE_PARTS ? parts.reduce((rope, part) => rope + part, "") : parts.join("");
}

/** Where places of the text before are after the changes; one inside of what was replaced goes to its beginning. */
export function movedBy({ froms, tos, texts }: Changes): (place: number) => number {
  const begins: number[] = [];
  let shift = 0;
  for (const [nth, from] of froms.entries()) {
    begins.push(from + shift);
    shift += (texts[nth]?.length ?? 0) - ((tos[nth] ?? 0) - from);
  }
  return (place) => {
    const nth = lastUpTo(froms, place);
    const begin = begins[nth];
    if (begin === undefined) return place;
    const to = tos[nth] ?? 0;
    return place < to ? begin : begin + (texts[nth]?.length ?? 0) + place - to;
  };
}

/** The last of the sorted values that is not above `value`; -1 when all are. */
export function lastUpTo(sorted: ArrayLike<number>, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
