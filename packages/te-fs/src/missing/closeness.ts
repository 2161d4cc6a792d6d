/** Names that differ in more letters than this are strangers, however long they are. */
const MOST_EDITS = 6;
const [SAME_BUT_CASE, SAME_BUT_MARKS, OTHER_EXTENSION, CONTAINED] = [0, 1, 2, 5];

/** How close a name is to the one that was asked for; smaller is closer, undefined is a stranger. */
export function closenessTo(wanted: string): (name: string) => number | undefined {
  const [text, bare, { stem }] = [folded(wanted), unmarked(wanted), parts(folded(wanted))];
  // An extension in common is no likeness.
  const mostEdits = Math.min(MOST_EDITS, Math.floor(stem.length / 3));
  return (name) => {
    const other = folded(name);
    if (other === text) return SAME_BUT_CASE;
    if (bare !== "" && unmarked(name) === bare) return SAME_BUT_MARKS;
    const its = parts(other);
    if (its.stem === stem && stem.length > 1) return OTHER_EXTENSION;
    const edits = distance(text, other, mostEdits);
    if (edits !== undefined) return OTHER_EXTENSION + edits;
    return isAround(its.stem, stem) || isAround(stem, its.stem) ? CONTAINED : undefined;
  };
}

/** Without case, and without the ways in which one letter can be written. */
function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function unmarked(name: string): string {
  return folded(name).replaceAll(/[\s._-]/g, "");
}

function parts(name: string): { readonly stem: string; readonly extension: string } {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? { stem: name, extension: "" } : { stem: name.slice(0, dot), extension: name.slice(dot) };
}

function isAround(long: string, short: string): boolean {
  return short.length > 2 && long.includes(short);
}

/** Longer than any name. */
const ROW = 4096;
const rows = [new Int32Array(ROW), new Int32Array(ROW), new Int32Array(ROW)] as const;

/** Letters that were left out, added, changed or swapped with their neighbour; undefined: more than `most`. */
function distance(one: string, other: string, most: number): number | undefined {
  if (Math.abs(one.length - other.length) > most || Math.max(one.length, other.length) >= ROW) return undefined;
  let [before, last, now]: Int32Array[] = [...rows];
  for (let at = 0; at <= other.length; at++) (last as Int32Array)[at] = at;
  for (let row = 1; row <= one.length; row++) {
    if (!fillRow({ one, other, row, most }, before as Int32Array, last as Int32Array, now as Int32Array))
      return undefined;
    [before, last, now] = [last, now, before];
  }
  const edits = (last as Int32Array)[other.length] ?? 0;
  return edits > most ? undefined : edits;
}

interface Row {
  readonly one: string;
  readonly other: string;
  readonly row: number;
  readonly most: number;
}

/** Further off the diagonal than `most` it is too much in any case. False when all of the row is. */
function fillRow({ one, other, row, most }: Row, before: Int32Array, last: Int32Array, now: Int32Array): boolean {
  const [from, to] = [Math.max(1, row - most), Math.min(other.length, row + most)];
  now[from - 1] = from === 1 ? row : most + 1;
  if (to < other.length) now[to + 1] = most + 1;
  let least = now[from - 1] as number;
  for (let at = from; at <= to; at++) {
    const isSame = one[row - 1] === other[at - 1];
    const changed = (last[at - 1] as number) + (isSame ? 0 : 1);
    let best = Math.min((last[at] as number) + 1, (now[at - 1] as number) + 1, changed);
    const isSwapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
    if (isSwapped) best = Math.min(best, (before[at - 2] as number) + 1);
    now[at] = best;
    least = Math.min(least, best);
  }
  return least <= most;
}
