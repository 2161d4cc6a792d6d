import type { Canonical, CanonicalLine } from "./canonical.js";
import { finderOf } from "./find.js";
import type { Normalize } from "./shape.js";
import type { Wanted } from "./wanted.js";

/** A place that is the wanted block but for what is forgiven. */
export interface Match {
  readonly from: number;
  readonly to: number;
  /** The first line it lies in, from 0. */
  readonly line: number;
}

export interface Matches {
  readonly count: number;
  /** The first ones, in order. */
  readonly kept: readonly Match[];
}

export function matchesOf(canonical: Canonical, wanted: Wanted, normalize: Normalize, keep: number): Matches {
  const next = finderOf(canonical.text, wanted.text);
  // A line's end that one match only looks at may be the one that the next begins with.
  const shared = wanted.wholeEnd || (wanted.wholeStart && wanted.text.endsWith("\n")) ? 1 : 0;
  const kept: Match[] = [];
  let count = 0;
  for (let place = next(0); place !== -1;) {
    const behind = place + wanted.text.length;
    const atEdge = place === 0 || behind === canonical.text.length;
    const match = atEdge || kept.length < keep ? matchAt(canonical, wanted, normalize, place) : undefined;
    if (match !== undefined && kept.length < keep) kept.push(match);
    const fits = match !== undefined || !atEdge;
    if (fits) count += 1;
    place = next(fits ? behind - shared : place + 1);
  }
  return { count, kept };
}

/** Undefined where only a "\n" fits that the text does not have: those in front of its beginning and behind its end. */
function matchAt(canonical: Canonical, wanted: Wanted, normalize: Normalize, place: number): Match | undefined {
  const begin = place + (wanted.wholeStart ? 1 : 0);
  const line = canonical.lineAt(begin);
  if (line < 0) return undefined;
  const first = canonical.line(line);
  const from = wanted.wholeStart ? first.start : unitOf(first, begin - first.at, "start");
  const end = place + wanted.text.length - (wanted.wholeEnd ? 1 : 0);
  const to = endOf(canonical, wanted, normalize, { line: line + wanted.lines.length - 1, end });
  return to === undefined ? undefined : { from, to, line };
}

function endOf(
  canonical: Canonical,
  wanted: Wanted,
  normalize: Normalize,
  { line, end }: { readonly line: number; readonly end: number },
): number | undefined {
  const own = wanted.lines.at(-1);
  if (line >= canonical.lines) {
    const before = canonical.line(line - 1);
    const justEnds = normalize.lineEndings && own?.raw === "" && line === canonical.lines;
    return justEnds ? before.start + before.raw.length : undefined;
  }
  const last = canonical.line(line);
  if (wanted.wholeEnd) return last.start + last.shape.end;
  if (own?.raw === "") return last.start;
  return unitOf(last, end - last.at, "end");
}

/** Where in the units a place of a line's core is. Between text and line ending lie the blanks that were left out. */
function unitOf({ start, shape, core }: CanonicalLine, offset: number, side: "start" | "end"): number {
  const inside = core.to - core.from;
  const behind = side === "start" ? offset >= inside : offset > inside;
  return start + (behind ? shape.end + offset - inside : core.from + offset);
}
