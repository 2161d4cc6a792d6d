import { findAnchor } from "./anchors.js";
import { whereApplied } from "./applied.js";
import { looseAttempts, strictAttempts, type Attempt } from "./attempts.js";
import { defines, definitionsOver, isDefinition, nameIn, ownersOf } from "./definitions.js";
import type { FileText } from "./file-text.js";
import { changesIndentationOnly, reindented } from "./indentation.js";
import { oneOf, type Locator, type Spot, type Where } from "./locate.js";
import { overlookedAt } from "./overlooked.js";
import { missed, placement, type Miss, type Placement } from "./placement.js";
import type { Hunk } from "./plan.js";
import { edgesOf, oldLines, saysSomething } from "./readings.js";
import { inSection } from "./section.js";

export interface Search {
  readonly file: FileText;
  readonly locator: Locator;
  readonly maxFuzz: number;
}

export interface Course {
  /** What the hunks above were off by. */
  readonly offset: number;
  readonly floor: number;
}

export type Sought = Placement | Miss | { readonly candidates: readonly number[] };

interface Target {
  readonly hunk: Hunk;
  readonly stated: number | null;
  readonly anchor: Where["anchor"];
  readonly course: Course;
}

// Lines that a place may be off where it is found by a part of its lines.
const FARTHEST_LOOSE = 10;

/** Looks for a hunk that is not where it says. `stated`: the line, from 0. */
export function seek(search: Search, hunk: Hunk, stated: number | null, course: Course): Sought {
  const { file, locator, maxFuzz } = search;
  const anchor = findAnchor(file, hunk.anchors, course.floor, locator.budget);
  const target = { hunk, stated, anchor, course };
  if (hunk.anchors.length > 0 && anchor === null) return seekUnanchored(search, target);
  const strict = firstFit(search, target, strictAttempts(file, hunk));
  if (strict !== undefined) return isBesideAnchor(search, strict, anchor) ? beside(hunk, strict) : strict;
  // Before context is let go: what is left of it may fit above lines that were added before.
  const applied = whereApplied(hunk, locator);
  if (applied !== null) return missed(hunk, "applied", applied);
  const indented = withOtherIndentation(search, target);
  if (indented !== undefined) return indented;
  const appliedSo = changesIndentationOnly(hunk.lines) ? null : whereApplied(hunk, locator, "unindented");
  if (appliedSo !== null) return missed(hunk, "applied", appliedSo);
  const loose = firstFit(search, target, looseAttempts(file, hunk, maxFuzz));
  if (loose !== undefined && !isBesideAnchor(search, loose, anchor)) return loose;
  const above = anchor === null ? undefined : firstFit(search, { ...target, anchor: null }, strictAttempts(file, hunk));
  if (above === undefined || "reason" in above) return missed(hunk, "nowhere", []);
  return missed(hunk, "above anchor", "start" in above ? [above.start] : above.candidates);
}

/** A hunk that names a line which is not in the file: only its own lines can tell the place, and all of them must. */
function seekUnanchored({ file, locator }: Search, target: Target): Sought {
  const { hunk } = target;
  const search = { file, locator, maxFuzz: 0 };
  const found = firstFit(search, { ...target, course: { ...target.course, floor: 0 } }, strictAttempts(file, hunk));
  if (found === undefined) {
    const applied = whereApplied(hunk, locator);
    return missed(hunk, applied === null ? "nowhere" : "applied", applied ?? []);
  }
  // Not for the hunks around it to settle: they do not know the name either.
  if ("candidates" in found) return missed(hunk, "beside anchor", found.candidates);
  if ("reason" in found) return found;
  const isExact = found.view === "exact" || found.view === "text";
  return isExact && !isOfAnother(search, hunk, found.start) ? found : beside(hunk, found);
}

// A name alone, as in `@@ deleteUser` or `@@ Store.load()`.
const NAME = /^[\w$.:#]{1,200}(?:\([^()]{0,200}\))?;?$/;

/** Whether the place belongs to something that has another name than the line behind `@@`. */
function isOfAnother({ file, locator }: Search, { anchors }: Hunk, start: number): boolean {
  const anchor = anchors.at(-1) ?? "";
  const [owner] = definitionsOver(file, start, locator.budget);
  return (
    (isDefinition(anchor) || NAME.test(anchor)) && owner !== undefined && nameIn(file.textOf(owner)) !== nameIn(anchor)
  );
}

/** Whether what the line behind `@@` begins has ended before the place, and another thing has begun. */
function isBesideAnchor({ file, locator }: Search, found: Sought, anchor: Where["anchor"]): found is Placement {
  if (anchor === null || !("start" in found) || found.start <= anchor.line) return false;
  if (ownersOf(file, found.start).includes(anchor.line) || !defines(file, anchor.line)) return false;
  const [owner] = definitionsOver(file, found.start, locator.budget);
  return owner !== undefined && owner > anchor.line;
}

function beside(hunk: Hunk, { start }: Placement): Miss {
  return missed(hunk, "beside anchor", [start]);
}

function firstFit(
  search: Search,
  target: Target,
  attempts: readonly Attempt[],
): Placement | Exclude<Sought, Placement> | undefined {
  const { file, locator } = search;
  const { hunk, anchor } = target;
  for (const attempt of attempts) {
    const where = whereOf(target, attempt);
    const spot = locator.locate(attempt.reading.lines, attempt.view, where);
    if (locator.budget.left < 0) return missed(hunk, "too repetitive", []);
    if (spot === undefined) continue;
    const astray = hunk.anchors.length > 0 && anchor === null;
    if (attempt.fuzz === 0) {
      const chosen = bySection(search, target, attempt) ?? spot;
      return "start" in chosen ? placement(file, hunk, { ...attempt, start: chosen.start, astray }) : chosen;
    }
    const found = "start" in spot ? loosely(search, hunk, attempt, { where, start: spot.start }) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

const ANYWHERE: Where = { expected: null, floor: 0, anchor: null, atEnd: false };

/** The place below the line that git names behind the numbers, where the hunk fits several. */
function bySection({ file, locator }: Search, { hunk, stated }: Target, { reading, view }: Attempt): Spot | undefined {
  if (hunk.section === null || stated === null) return undefined;
  const all = locator.locate(reading.lines, view, ANYWHERE);
  if (all === undefined || "start" in all) return undefined;
  const places = inSection(file, hunk.section, all.candidates, locator.budget);
  return places === undefined ? undefined : oneOf(places);
}

/** The only place at which a hunk stands but for its indentation, as models see tabs as spaces. */
function withOtherIndentation(search: Search, { hunk, stated, anchor, course }: Target): Placement | undefined {
  const { file, locator } = search;
  const target = locator.locate(hunk.lines, "unindented", ANYWHERE);
  if (target === undefined || !("start" in target)) return undefined;
  const { start } = target;
  const isThin = oldLines(hunk.lines).filter(saysSomething).length < 2;
  const isFar = stated !== null && Math.abs(start - stated - course.offset) > FARTHEST_LOOSE;
  const lines = isThin && isFar ? undefined : reindented(file, hunk.lines, start);
  if (lines === undefined) return undefined;
  const found = placement(file, hunk, { reading: { lines, slip: null }, view: "unindented", fuzz: 0, start });
  const isAbove = anchor !== null && start + oldLines(lines).length <= anchor.line;
  return isAbove || isBesideAnchor(search, found, anchor) ? undefined : found;
}

function whereOf({ hunk, stated, anchor, course }: Target, { cut }: Attempt): Where {
  const floor = Math.max(0, course.floor - edgesOf(hunk.lines).lead);
  const expected = stated === null ? null : stated + course.offset + cut;
  return { expected, floor: floor + cut, anchor, atEnd: hunk.atEnd };
}

interface LoosePlace {
  readonly where: Where;
  readonly start: number;
}

/** A place for the part of a hunk, if that tells it: it is the only one, near, and what does not fit names no other. */
function loosely(
  { file, locator }: Search,
  hunk: Hunk,
  attempt: Attempt,
  { where, start }: LoosePlace,
): Placement | undefined {
  const { reading, view, cut } = attempt;
  const { expected } = where;
  if (start !== expected && !isOnly(locator.locate(reading.lines, view, ANYWHERE))) return undefined;
  const overlooked = overlookedAt(file, { all: hunk.lines, lines: reading.lines, cut, start }, locator.budget);
  if (overlooked === undefined) return undefined;
  if (overlooked.length > 0 && expected !== null && Math.abs(start - expected) > FARTHEST_LOOSE) return undefined;
  return placement(file, hunk, { ...attempt, start, overlooked });
}

function isOnly(target: ReturnType<Locator["locate"]>): boolean {
  return target !== undefined && "start" in target;
}
