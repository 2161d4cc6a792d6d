import { FOLD } from "./look-alikes.js";

/** A part of a line that stands for another text. */
export interface Fit {
  readonly from: number;
  readonly to: number;
  /** 1: the same. */
  readonly similarity: number;
}

/** Whether the part begins where the line begins, and ends where it ends. */
export interface Anchors {
  readonly start: boolean;
  readonly end: boolean;
}

// Whitespace and look-alikes are what goes wrong most, so they weigh least.
const SLIP = 1;
const INK = 3;

/** A text longer than this is placed by its two ends. */
export const LONGEST_FIT = 400;
const END = LONGEST_FIT / 2;
// How much longer or shorter than it a part may be that stands for a long text.
const SLACK = 200;

/** The part of `line` that is most like `wanted`; cost is the product of their lengths. */
export function fit(line: string, wanted: string, anchors: Anchors): Fit {
  if (wanted.length <= LONGEST_FIT) return place(line, wanted, anchors);
  if (anchors.end) return mirrored(fit(reversed(line), reversed(wanted), { start: true, end: anchors.start }), line);
  const head = place(line, wanted.slice(0, END), { start: anchors.start, end: false });
  const behind = Math.min(line.length, head.from + wanted.length);
  const least = Math.max(head.from, behind - END - SLACK);
  const around = line.slice(least, behind + SLACK);
  const tail = place(around, wanted.slice(-END), { start: false, end: false }, behind - least);
  return { from: head.from, to: least + tail.to, similarity: (head.similarity + tail.similarity) / 2 };
}

function reversed(text: string): string {
  return text.split("").toReversed().join("");
}

function mirrored({ from, to, similarity }: Fit, { length }: string): Fit {
  return { from: length - to, to: length - from, similarity };
}

/** Edit distance with free ends, by rows of `wanted`; each cell knows where its part began. */
function place(line: string, wanted: string, anchors: Anchors, near?: number): Fit {
  let row = firstRow(line, anchors.start);
  let next = emptyRow(line);
  let whole = 0;
  for (let own = 0; own < wanted.length; own++) {
    fillRow(next, row, line, wanted.charCodeAt(own));
    whole += skip(wanted.charCodeAt(own));
    [row, next] = [next, row];
  }
  const to = anchors.end ? line.length : bestEnd(row, near);
  const similarity = whole === 0 ? 1 : Math.max(0, 1 - (row.costs[to] ?? 0) / whole);
  return { from: row.starts[to] ?? 0, to, similarity };
}

function fillRow(row: Row, above: Row, line: string, unit: number): void {
  const loss = skip(unit);
  row.costs[0] = (above.costs[0] ?? 0) + loss;
  row.starts[0] = above.starts[0] ?? 0;
  for (let at = 0; at < line.length; at++) {
    const other = line.charCodeAt(at);
    const both = (above.costs[at] ?? 0) + (unit === other ? 0 : swap(unit, other));
    const lost = (above.costs[at + 1] ?? 0) + loss;
    const added = (row.costs[at] ?? 0) + skip(other);
    const least = Math.min(both, lost, added);
    row.costs[at + 1] = least;
    row.starts[at + 1] =
      (least === both ? above.starts[at] : least === lost ? above.starts[at + 1] : row.starts[at]) ?? 0;
  }
}

interface Row {
  readonly costs: Int32Array;
  readonly starts: Int32Array;
}

function firstRow(line: string, anchored: boolean): Row {
  const row = emptyRow(line);
  for (let at = 0; at < line.length; at++) {
    row.costs[at + 1] = anchored ? (row.costs[at] ?? 0) + skip(line.charCodeAt(at)) : 0;
    row.starts[at + 1] = anchored ? 0 : at + 1;
  }
  return row;
}

function emptyRow(line: string): Row {
  return { costs: new Int32Array(line.length + 1), starts: new Int32Array(line.length + 1) };
}

function skip(unit: number): number {
  return FOLD[unit] === 0 ? SLIP : INK;
}

function swap(one: number, other: number): number {
  const [a, b] = [FOLD[one] ?? 0, FOLD[other] ?? 0];
  if (a === b) return SLIP;
  return a === 0 || b === 0 ? INK + SLIP : INK;
}

/** Of equals the nearest to where it is supposed; else the first part, with a last character that was changed. */
function bestEnd({ costs, starts }: Row, near: number | undefined): number {
  let best = 0;
  for (let at = 1; at < costs.length; at++) {
    const [cost, least] = [costs[at] ?? 0, costs[best] ?? 0];
    if (cost > least) continue;
    const better = near === undefined ? starts[at] === starts[best] : Math.abs(at - near) <= Math.abs(best - near);
    if (cost < least || better) best = at;
  }
  return best;
}
