/** The lines, from 1, in which places of a text lie. */
export function lineNumbers(units: string, places: readonly number[]): readonly number[] {
  const inOrder = [...new Set(places)].sort((a, b) => a - b);
  const known = new Map<number, number>();
  let line = 1;
  let next = units.indexOf("\n");
  for (const place of inOrder) {
    for (; next !== -1 && next < place; next = units.indexOf("\n", next + 1)) line += 1;
    known.set(place, line);
  }
  return places.map((place) => known.get(place) ?? 1);
}

/** Range of lines, counted from 1, with both ends included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

export function countNewlines(units: string, from: number, to: number): number {
  let count = 0;
  for (let at = units.indexOf("\n", from); at !== -1 && at < to; at = units.indexOf("\n", at + 1)) count += 1;
  return count;
}

export type Terminator = "\n" | "\r\n";

/** How the line at a place ends, or the one before it where it does not; asked for places in ascending order. */
export function terminators(units: string): (place: number) => Terminator | undefined {
  let next = -1;
  let last: Terminator | undefined;
  return (place) => {
    if (next >= place) return last;
    next = units.indexOf("\n", place);
    const newline = next === -1 ? units.lastIndexOf("\n") : next;
    if (next === -1) next = units.length;
    last = newline === -1 ? undefined : terminatorBefore(units, newline);
    return last;
  };
}

function terminatorBefore(units: string, newline: number): Terminator {
  return units.charCodeAt(newline - 1) === 0x0d ? "\r\n" : "\n";
}

export function withTerminator(text: string, terminator: Terminator | undefined): string {
  return terminator === undefined ? text : text.replaceAll(/\r?\n/g, terminator);
}
