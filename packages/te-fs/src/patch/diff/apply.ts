import { fileTextOf, withUnits, type FileText } from "./file-text.js";
import type { Budget } from "./line-search.js";
import { withMark } from "./mark.js";
import { placeHunks } from "./place.js";
import type { Miss, Placement } from "./placement.js";
import type { Hunk } from "./plan.js";
import type { Slip } from "./readings.js";
import { splice } from "./splice.js";

/** How a hunk was placed. */
export interface AppliedHunk {
  /** Counted from 1 within its file. */
  readonly hunk: number;
  /** The first line of the old file that it names, from 1; of an insertion, the line before which it went. */
  readonly line: number;
  /** How many lines lower than its header says; null where that names none. */
  readonly offset: number | null;
  /** How many context lines at each end did not have to fit. */
  readonly fuzz: number;
  readonly slips: readonly Slip[];
}

export interface Applied {
  readonly content: Buffer;
  readonly hunks: readonly AppliedHunk[];
}

export interface NotApplied {
  /** The file they were to go into: for a second look at where they nearly fit. */
  readonly file: FileText;
  readonly misses: readonly Miss[];
}

/** Comparing this many lines takes about 100 ms. */
const STEPS = 20_000_000;

export function applyHunks(content: Buffer, hunks: readonly Hunk[], steps = STEPS): Applied | NotApplied {
  const file = fileTextOf(content);
  const budget: Budget = { left: steps };
  const marked = withMark(file, hunks);
  const { placements, misses } = placeHunks(file, marked.hunks, budget);
  const units = splice(file, placements);
  if (misses.length === 0) return applied(file, marked.keepsMark, units, placements);
  // A hunk may have been written for what the hunks above it leave.
  const later = placements.length > 0 && misses.every(({ reason }) => reason === "nowhere");
  const second = later ? withUnits(file, units) : file;
  const rest = later
    ? placeHunks(
        second,
        misses.map(({ hunk }) => hunk),
        budget,
      )
    : { placements: [], misses };
  if (rest.misses.length > 0) return { file, misses };
  return applied(file, marked.keepsMark, splice(second, rest.placements), [...placements, ...rest.placements]);
}

function applied(file: FileText, keepsMark: boolean, units: string, placements: readonly Placement[]): Applied {
  const hunks = placements.map(factsOf).sort((a, b) => a.hunk - b.hunk);
  return { content: file.unit.toBytes(`${keepsMark ? file.mark : ""}${units}`), hunks };
}

function factsOf({ hunk, start, offset, fuzz, slips }: Placement): AppliedHunk {
  return { hunk: hunk.number, line: start + 1, offset, fuzz, slips };
}
