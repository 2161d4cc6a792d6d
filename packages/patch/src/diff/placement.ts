import type { FileText } from "./file-text.js";
import type { Overlooked } from "./overlooked.js";
import type { Hunk, HunkLine } from "./plan.js";
import { oldLines, type Reading, type Slip } from "./readings.js";
import { keyOf, keyOfLine, type View } from "./views.js";

/** Where a hunk goes. */
export interface Placement {
  readonly hunk: Hunk;
  /** The line of the file, from 0, at which the first of `lines` that is old stands. */
  readonly start: number;
  /** Of the hunk, as they were read; with fuzz, without the outermost context. */
  readonly lines: readonly HunkLine[];
  readonly view: View;
  readonly fuzz: number;
  /** How many lines lower than the header says; null where it names no line. */
  readonly offset: number | null;
  readonly slips: readonly Slip[];
  /** Context lines that did not have to fit and do not. */
  readonly overlooked: readonly Overlooked[];
}

export type MissReason =
  | "nowhere"
  | "ambiguous"
  | "applied"
  | "perhaps applied"
  | "above anchor"
  | "beside anchor"
  | "unreadable"
  | "overlap"
  | "no such line"
  | "too repetitive";

/** A hunk that cannot be placed. */
export interface Miss {
  readonly hunk: Hunk;
  readonly reason: MissReason;
  /** From 1: where it could stand, or where its result stands. */
  readonly lines: readonly number[];
}

/** Hunk whose result already stands in the file. */
export interface AppliedBefore extends Miss {
  readonly reason: "applied";
}

/** Hunk that neither fits nor was applied before. */
export interface Lost extends Miss {
  readonly reason: Exclude<MissReason, "applied">;
}

export function isApplied(miss: Miss): miss is AppliedBefore {
  return miss.reason === "applied";
}

export interface Placed {
  readonly placements: readonly Placement[];
  readonly misses: readonly Miss[];
}

/** The lines of the file, from 0, that a placement changes. An insertion changes none and stands before `from`. */
export interface Region {
  readonly from: number;
  readonly to: number;
}

export function regionOf({ start, lines }: Placement): Region {
  const first = lines.findIndex((line) => line.op !== " ");
  const last = lines.findLastIndex((line) => line.op !== " ");
  let [from, to] = [start, start];
  for (const [at, line] of lines.entries()) {
    if (line.op === "+") continue;
    if (at < first) from += 1;
    if (at <= last) to += 1;
  }
  return { from, to };
}

/** `at`: lines from 0. */
export function missed(hunk: Hunk, reason: MissReason, at: readonly number[]): Miss {
  return { hunk, reason, lines: at.map((line) => line + 1) };
}

export interface Choice {
  readonly reading: Reading;
  readonly view: View;
  readonly fuzz: number;
  readonly start: number;
  /** Context lines that were cut off at the top. */
  readonly cut?: number;
  /** The text behind `@@` is not in the file. */
  readonly astray?: boolean;
  readonly overlooked?: readonly Overlooked[];
}

export function placement(file: FileText, hunk: Hunk, choice: Choice): Placement {
  const { reading, view, fuzz, start, cut = 0, astray = false, overlooked = [] } = choice;
  const slips: Slip[] = view === "exact" ? [] : slipsAt(file, reading.lines, start);
  if (reading.slip !== null) slips.push(reading.slip);
  if (hunk.repaired) slips.push("counts in @@");
  if (hunk.atEnd && start + oldLines(reading.lines).length !== file.count) slips.push("the end of the file");
  if (astray) slips.push("the place named behind @@");
  const offset = hunk.line === null ? null : start - cut - Math.max(0, hunk.line - 1);
  return { hunk, start, lines: reading.lines, view, fuzz, offset, slips, overlooked };
}

/** What differs between the lines of a hunk and those of the file where it was placed. */
function slipsAt(file: FileText, lines: readonly HunkLine[], start: number): Slip[] {
  const slips = new Set<Slip>();
  for (const [at, { text, end }] of oldLines(lines).entries()) {
    const index = start + at;
    if (file.endOf(index) !== end) slips.add("line ends");
    if (file.textOf(index) === text) continue;
    const isSame = (view: View): boolean => keyOfLine(view, file, index) === keyOf(view, text, end, file);
    if (isSame("trimmed")) slips.add("trailing whitespace");
    else slips.add(isSame("unindented") ? "indentation" : "bytes that are no UTF-8");
  }
  return [...slips];
}
