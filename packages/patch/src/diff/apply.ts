import type { Encoding } from "../text/encoding.js";
import { whereApplied } from "./applied.js";
import { fileTextOf, withUnits, type FileText } from "./file-text.js";
import { createLocator, type Locator } from "./locate.js";
import { withMark } from "./mark.js";
import type { Overlooked } from "./overlooked.js";
import { createPace, type Pace } from "./pace.js";
import { placeHunks } from "./place.js";
import { isApplied, missed, type AppliedBefore, type Lost, type Placed, type Placement } from "./placement.js";
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
  readonly overlooked: readonly Overlooked[];
}

export interface Applied {
  readonly content: Buffer;
  readonly hunks: readonly AppliedHunk[];
  /** Hunks already applied to the file. */
  readonly before: readonly AppliedBefore[];
  readonly encoding: Encoding["name"];
}

export interface NotApplied {
  /** The file they were to go into: for a second look at where they nearly fit. */
  readonly file: FileText;
  readonly misses: readonly Lost[];
}

/** Comparing this many lines takes about 100 ms. */
const STEPS = 20_000_000;
const MOST_FUZZ = 2;

export interface ApplyOptions {
  /** Name of the file in messages. */
  readonly path?: string;
  /** How many lines may be compared until hunks are given up. */
  readonly steps?: number;
  readonly pace?: Pace;
}

/** The file with all hunks, or those that have no place in it. */
export async function applyHunks(
  content: Buffer,
  hunks: readonly Hunk[],
  { path = "the file", steps: work = STEPS, pace = createPace() }: ApplyOptions = {},
): Promise<Applied | NotApplied> {
  const file = fileTextOf(content);
  const { hunks: own, keepsMark } = withMark(file, hunks);
  const target: Target = { file, locator: createLocator(file, own, { left: work }), pace };
  const strict = await applyTo(target, own, 0);
  const isLost = strict.misses.some(({ reason }) => reason === "nowhere");
  const result = isLost ? await applyTo(target, own, MOST_FUZZ) : strict;
  const before = result.misses.filter(isApplied);
  const lost = result.misses.filter((miss): miss is Lost => !isApplied(miss));
  if (before.length > 0) lost.push(...result.placements.flatMap((placement) => doubtful(placement, target.locator)));
  if (lost.length > 0) return { file, misses: lost };
  const facts = result.placements.map(factsOf).sort((a, b) => a.hunk - b.hunk);
  const after = file.unit.toBytes(`${keepsMark ? file.mark : ""}${result.units}`, path);
  return { content: after, hunks: facts, before, encoding: file.unit.name };
}

/**
 * Refuses a hunk without a line in its header if both the hunk and its result fit a file that has other hunks already.
 */
function doubtful({ hunk, start }: Placement, locator: Locator): readonly Lost[] {
  const there = hunk.line === null ? whereApplied(hunk, locator) : null;
  return there === null ? [] : [missed(hunk, "perhaps applied", [start, ...there.slice(0, 1)]) as Lost];
}

interface Target {
  readonly file: FileText;
  readonly locator: Locator;
  readonly pace: Pace;
}

interface Attempted extends Placed {
  readonly units: string;
}

/** A hunk that has no place may have been written for what the others leave. */
async function applyTo({ file, locator, pace }: Target, hunks: readonly Hunk[], maxFuzz: number): Promise<Attempted> {
  const first = await placeHunks({ file, locator, maxFuzz }, hunks, pace);
  const units = first.placements.length === 0 ? file.units : splice(file, first.placements);
  const before = first.misses.filter(isApplied);
  const left = first.misses.flatMap(({ reason, hunk }) => (reason === "nowhere" ? [hunk] : []));
  if (left.length === 0 || left.length + before.length < first.misses.length || first.placements.length === 0)
    return { ...first, units };
  const next = withUnits(file, units);
  const search = { file: next, locator: createLocator(next, left, locator.budget), maxFuzz };
  const second = await placeHunks(search, left, pace);
  if (second.misses.length > 0) return { ...first, units };
  const placements = [...first.placements, ...second.placements];
  return { placements, misses: before, units: splice(next, second.placements) };
}

function factsOf({ hunk, start, offset, fuzz, slips, overlooked }: Placement): AppliedHunk {
  return { hunk: hunk.number, line: start + 1, offset, fuzz, slips, overlooked };
}
