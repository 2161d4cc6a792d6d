import { findAnchor } from "./anchors.js";
import { attemptsFor } from "./attempts.js";
import type { FileText } from "./file-text.js";
import type { Budget } from "./line-search.js";
import { createLocator, type Locator, type Where } from "./locate.js";
import { whereApplied, whereInserted } from "./applied.js";
import { missed, regionOf, type Miss, type Placed, type Placement } from "./placement.js";
import type { Hunk } from "./plan.js";
import { edgesOf, oldLines, readingsOf, withoutEdges, type Reading, type Slip } from "./readings.js";
import { settleAmbiguous } from "./settle.js";
import { holdsReplacement, type View } from "./views.js";

const SLIP_OF: Readonly<Record<View, readonly Slip[]>> = {
  exact: [],
  text: ["line ends"],
  trimmed: ["trailing whitespace"],
  shown: ["bytes that are no UTF-8"],
};

/** Finds the place of each hunk in the file as it is; the placements come in the order of the file. */
export function placeHunks(file: FileText, hunks: readonly Hunk[], budget: Budget): Placed {
  const locator = createLocator(file, hunks, budget);
  const placements: Placement[] = [];
  const misses: Miss[] = [];
  let offset = 0;
  let floor = 0;
  for (const hunk of hunks) {
    const found = placeHunk(file, hunk, { offset, floor }, locator);
    if ("reason" in found) misses.push(found);
    else {
      placements.push(found);
      offset = found.offset ?? offset;
      floor = Math.max(floor, regionOf(found).to);
    }
  }
  const settled = settleAmbiguous({ placements, misses }, (hunk, start) => settle(locator, hunk, start));
  return withoutOverlaps(settled);
}

interface Course {
  /** What the hunks above were off by. */
  readonly offset: number;
  readonly floor: number;
}

function placeHunk(file: FileText, hunk: Hunk, course: Course, locator: Locator): Placement | Miss {
  if (oldLines(hunk.lines).length === 0) return placeInsertion(file, hunk, course, locator.budget);
  const expected = hunk.line === null ? null : Math.max(0, hunk.line - 1);
  const at = expected === null ? [] : [expected + course.offset, expected];
  const straight = placeAsStated(hunk, at, locator);
  const found = straight ?? search(file, hunk, course, expected, locator);
  if (!("hunk" in found)) return missed(hunk, "ambiguous", found.candidates);
  if ("reason" in found) return found;
  const there = whereInserted(found, locator);
  return there === null ? found : missed(hunk, "applied", [there]);
}

function placeAsStated(hunk: Hunk, at: readonly number[], locator: Locator): Placement | undefined {
  for (const start of at) {
    for (const view of ["exact", "text"] as const) {
      const reading = { lines: hunk.lines, slip: null };
      if (locator.fitsAt(hunk.lines, view, start)) return placement(hunk, { reading, view, fuzz: 0, start });
    }
  }
  return undefined;
}

function search(
  file: FileText,
  hunk: Hunk,
  course: Course,
  stated: number | null,
  locator: Locator,
): Placement | Miss | { readonly candidates: readonly number[] } {
  const { lead } = edgesOf(hunk.lines);
  const floor = Math.max(0, course.floor - lead);
  const anchor = hunk.anchors.length === 0 ? null : findAnchor(file, hunk.anchors, course.floor, locator.budget);
  for (const attempt of attemptsFor(file, hunk)) {
    const applied = attempt.fuzz === 1 ? whereApplied(hunk, locator) : null;
    if (applied !== null) return missed(hunk, "applied", applied);
    const expected = stated === null ? null : stated + course.offset + attempt.cut;
    const where: Where = { expected, floor: floor + attempt.cut, anchor, atEnd: hunk.atEnd };
    const spot = locator.locate(attempt.reading.lines, attempt.view, where);
    if (locator.budget.left < 0) return missed(hunk, "too repetitive", []);
    if (spot === undefined) continue;
    if (!("start" in spot)) return spot;
    return placement(hunk, { ...attempt, start: spot.start, astray: isAstray(hunk, anchor, spot.start) });
  }
  const applied = whereApplied(hunk, locator);
  return applied === null ? missed(hunk, "nowhere", []) : missed(hunk, "applied", applied);
}

function isAstray({ anchors }: Hunk, anchor: Where["anchor"], start: number): boolean {
  return anchors.length > 0 && (anchor === null || start < anchor.line - 1);
}

interface Chosen {
  readonly reading: Reading;
  readonly view: View;
  readonly fuzz: number;
  readonly start: number;
  readonly cut?: number;
  readonly astray?: boolean;
}

function placement(hunk: Hunk, { reading, view, fuzz, start, cut = 0, astray = false }: Chosen): Placement {
  const slips: Slip[] = [...SLIP_OF[view]];
  if (reading.slip !== null) slips.push(reading.slip);
  if (hunk.repaired) slips.push("counts in @@");
  if (astray) slips.push("the place named behind @@");
  const offset = hunk.line === null ? null : start - cut - Math.max(0, hunk.line - 1);
  return { hunk, start, lines: reading.lines, view, fuzz, offset, slips };
}

/** A hunk without old lines: there is nothing to recognise its place by. */
function placeInsertion(file: FileText, hunk: Hunk, course: Course, budget: Budget): Placement | Miss {
  const reading = { lines: hunk.lines, slip: null };
  // Its lines take the file's ends, unless the diff shows that it knows about them.
  const view: View = hunk.lines.some((line) => line.end !== "\n") ? "exact" : "text";
  if (hunk.line !== null) {
    const start = hunk.line + course.offset;
    if (start > file.count || start < 0) return missed(hunk, "no such line", [file.count]);
    const { slips, ...found } = placement(hunk, { reading, view, fuzz: 0, start });
    return { ...found, offset: course.offset, slips: slips.filter((slip) => slip !== "line ends") };
  }
  const anchor = findAnchor(file, hunk.anchors, course.floor, budget);
  if (hunk.anchors.length > 0 && anchor === null) return missed(hunk, "nowhere", []);
  if (anchor !== null && !anchor.sure) return missed(hunk, "ambiguous", [anchor.line]);
  const found = placement(hunk, { reading, view, fuzz: 0, start: anchor === null ? file.count : anchor.line + 1 });
  return { ...found, slips: found.slips.filter((slip) => slip !== "line ends") };
}

function settle(locator: Locator, hunk: Hunk, start: number): Placement | undefined {
  for (const view of ["exact", "text", "trimmed"] as const) {
    const reading = { lines: hunk.lines, slip: null };
    if (locator.fitsAt(hunk.lines, view, start)) return placement(hunk, { reading, view, fuzz: 0, start });
  }
  return undefined;
}

function withoutOverlaps({ placements, misses }: Placed): Placed {
  const sorted = placements
    .map((one) => ({ one, region: regionOf(one) }))
    .sort(
      (a, b) => a.region.from - b.region.from || a.region.to - b.region.to || a.one.hunk.number - b.one.hunk.number,
    );
  const kept: Placement[] = [];
  const overlaps: Miss[] = [];
  let end = 0;
  for (const { one, region } of sorted) {
    if (region.from < end) overlaps.push(missed(one.hunk, "overlap", [region.from]));
    else kept.push(one);
    end = Math.max(end, region.to);
  }
  return { placements: kept, misses: [...misses, ...overlaps].sort((a, b) => a.hunk.number - b.hunk.number) };
}
