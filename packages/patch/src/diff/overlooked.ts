import type { FileText } from "./file-text.js";
import { linesWith } from "./anchors.js";
import { indentOf, isDefinition } from "./definitions.js";
import type { Budget } from "./line-search.js";
import type { HunkLine } from "./plan.js";
import { isElided, oldLines, saysSomething } from "./readings.js";
import { keyOf, keyOfLine, withoutBlanks } from "./views.js";

/** A context line that did not fit, and what stands in its place. */
export interface Overlooked {
  /** Of the file, from 1. */
  readonly line: number;
  readonly wanted: string;
  /** Null: the file has no such line. */
  readonly found: string | null;
}

export interface Trimmed {
  /** All lines of the hunk. */
  readonly all: readonly HunkLine[];
  /** Those that are left without the outermost context, and how many were cut off above them. */
  readonly lines: readonly HunkLine[];
  readonly cut: number;
  /** Where the first old line of `lines` stands, from 0. */
  readonly start: number;
}

interface Edge {
  readonly line: HunkLine;
  /** Where it should stand, from 0; null where lines were left out between it and the rest. */
  readonly at: number | null;
  readonly above: boolean;
}

// An inserted line or two move what stood there; farther off it is another place's.
const NEAR = 3;
const FARTHEST = 500;

/**
 * What fuzz looks past at a place. Undefined when the rest does not tell the place: a line that names where the hunk
 * belongs is another one there, or stands elsewhere, or no more lines fit than are looked past.
 */
export function overlookedAt(file: FileText, trimmed: Trimmed, budget: Budget): readonly Overlooked[] | undefined {
  const { all, lines } = trimmed;
  const unfit = edgesOf(file, trimmed).filter((edge) => !fits(file, edge, trimmed));
  const lost = unfit.filter(({ line }) => saysMore(file, line));
  const context = all.filter((line) => line.op === " ");
  const known = context.filter((line) => saysMore(file, line));
  const fitting = known.length - lost.length;
  if (context.length === unfit.length || (known.length > 0 && fitting === 0)) return undefined;
  const removed = lines.filter((line) => line.op === "-" && saysSomething(line)).length;
  if (lost.length > 0 && fitting + removed <= lost.length) return undefined;
  const firstChange = all.find((line) => line.op !== " " && indentOf(line.text) !== null);
  const changed = indentOf(firstChange?.text ?? "") ?? 0;
  if (lost.some((edge) => isParent(edge, changed) || standsElsewhere(file, edge, budget))) return undefined;
  return unfit.map(({ line, at }) => overlooked(file, line, at ?? trimmed.start));
}

function edgesOf(file: FileText, { all, lines, cut, start }: Trimmed): readonly Edge[] {
  const above = all.slice(0, cut);
  const below = all.slice(cut + lines.length);
  const end = start + oldLines(lines).length;
  const dots = above.findLastIndex((line) => elided(file, line));
  const dotsBelow = below.findIndex((line) => elided(file, line));
  return [
    ...above.map((line, nth) => ({ line, at: nth <= dots ? null : start - cut + nth, above: true })),
    ...below.map((line, nth) => ({ line, at: nth < dotsBelow || dotsBelow === -1 ? end + nth : null, above: false })),
  ].filter(({ line }) => !elided(file, line));
}

function elided({ unit }: FileText, { text }: HunkLine): boolean {
  return isElided(unit.decode(text.slice(0, 200)));
}

function saysMore(file: FileText, line: HunkLine): boolean {
  return saysSomething(line) && !elided(file, line);
}

function fits(file: FileText, edge: Edge, { start, lines }: Trimmed): boolean {
  const { line, at, above } = edge;
  if (at !== null && at >= 0 && at < file.count && isSame(file, line, at)) return true;
  if (above) return isAround(file, line, at ?? start);
  return at === null && isBelow(file, line, start + oldLines(lines).length);
}

/** Whether it is further above and what lies between belongs to it, as the rest of a function does to its first line. */
function isAround(file: FileText, line: HunkLine, from: number): boolean {
  const indent = indentOf(line.text);
  if (indent === null || !saysSomething(line)) return false;
  for (let at = from; at >= 0 && at > from - FARTHEST; at--) {
    const there = indentOf(file.textOf(at));
    if (there === null) continue;
    if (isSame(file, line, at)) return true;
    if (there <= indent) return false;
  }
  return false;
}

function isBelow(file: FileText, line: HunkLine, from: number): boolean {
  const indent = indentOf(line.text) ?? 0;
  for (let at = from; at < file.count && at < from + FARTHEST; at++) {
    const there = indentOf(file.textOf(at));
    if (isSame(file, line, at)) return true;
    if (there !== null && there < indent) return false;
  }
  return false;
}

/** Whether a line names what the change belongs to. */
function isParent({ line, above }: Edge, changed: number): boolean {
  return isDefinition(line.text) || (above && (indentOf(line.text) ?? 0) < changed);
}

function standsElsewhere(file: FileText, { line, at }: Edge, budget: Budget): boolean {
  const places = linesWith(file, withoutBlanks(line.text), 0, budget).filter((place) => isSame(file, line, place));
  return places.some((place) => at === null || Math.abs(place - at) > NEAR);
}

function isSame(file: FileText, { text, end }: HunkLine, index: number): boolean {
  return keyOf("trimmed", text, end, file) === keyOfLine("trimmed", file, index);
}

function overlooked(file: FileText, { text }: HunkLine, at: number): Overlooked {
  const there = at >= 0 && at < file.count ? file.textOf(at) : null;
  const { decode } = file.unit;
  return { line: Math.max(0, at) + 1, wanted: decode(text), found: there === null ? null : decode(there) };
}
