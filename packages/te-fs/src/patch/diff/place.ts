import { findAnchor } from "./anchors.js";
import { whereApplied, whereInserted } from "./applied.js";
import { attemptsFor } from "./attempts.js";
import type { FileText } from "./file-text.js";
import type { Budget } from "./line-search.js";
import { createLocator, type Locator, type Where } from "./locate.js";
import { placeInsertion } from "./insertion.js";
import { missed, placement, regionOf, type Miss, type Placed, type Placement } from "./placement.js";
import type { Hunk } from "./plan.js";
import { edgesOf, oldLines } from "./readings.js";
import { settleAmbiguous } from "./settle.js";
import type { View } from "./views.js";

/** Finds the place of each hunk in the file as it is; the placements come in the order of the file. */
export function placeHunks(file: FileText, hunks: readonly Hunk[], budget: Budget, maxFuzz: number): Placed {
  const locator = createLocator(file, hunks, budget);
  const search: Search = { file, locator, maxFuzz };
  const placements: Placement[] = [];
  const misses: Miss[] = [];
  let offset = 0;
  let floor = 0;
  for (const hunk of hunks) {
    const found = placeHunk(search, hunk, { offset, floor });
    if ("reason" in found) misses.push(found);
    else {
      placements.push(found);
      offset = found.offset ?? offset;
      floor = Math.max(floor, regionOf(found).to);
    }
  }
  const settled = settleAmbiguous({ placements, misses }, (hunk, start) =>
    placeAt(search, hunk, start, ["exact", "text", "trimmed"]),
  );
  return withoutOverlaps(settled);
}

interface Search {
  readonly file: FileText;
  readonly locator: Locator;
  readonly maxFuzz: number;
}

interface Course {
  /** What the hunks above were off by. */
  readonly offset: number;
  readonly floor: number;
}

function placeHunk(search: Search, hunk: Hunk, course: Course): Placement | Miss {
  if (oldLines(hunk.lines).length === 0) return placeInsertion(search.file, hunk, course, search.locator.budget);
  const expected = hunk.line === null ? null : Math.max(0, hunk.line - 1);
  const straight = expected === null ? undefined : placeAsStated(search, hunk, expected, course);
  const found = straight ?? seek(search, hunk, expected, course);
  if (!("hunk" in found)) return missed(hunk, "ambiguous", found.candidates);
  if ("reason" in found) return found;
  const there = whereInserted(found, search.locator);
  return there === null ? found : missed(hunk, "applied", [there]);
}

function placeAsStated(search: Search, hunk: Hunk, expected: number, { offset }: Course): Placement | undefined {
  const views: readonly View[] = ["exact", "text"];
  return placeAt(search, hunk, expected + offset, views) ?? placeAt(search, hunk, expected, views);
}

function placeAt({ file, locator }: Search, hunk: Hunk, start: number, views: readonly View[]): Placement | undefined {
  const view = views.find((each) => locator.fitsAt(hunk.lines, each, start));
  return view === undefined
    ? undefined
    : placement(file, hunk, { reading: { lines: hunk.lines, slip: null }, view, fuzz: 0, start });
}

function seek(
  { file, locator, maxFuzz }: Search,
  hunk: Hunk,
  stated: number | null,
  course: Course,
): Placement | Miss | { readonly candidates: readonly number[] } {
  const floor = Math.max(0, course.floor - edgesOf(hunk.lines).lead);
  const anchor = findAnchor(file, hunk.anchors, course.floor, locator.budget);
  for (const attempt of attemptsFor(file, hunk, maxFuzz)) {
    const expected = stated === null ? null : stated + course.offset + attempt.cut;
    const where: Where = { expected, floor: floor + attempt.cut, anchor, atEnd: hunk.atEnd };
    const spot = locator.locate(attempt.reading.lines, attempt.view, where);
    if (locator.budget.left < 0) return missed(hunk, "too repetitive", []);
    if (spot === undefined) continue;
    if (!("start" in spot)) return spot;
    return placement(file, hunk, { ...attempt, start: spot.start, astray: isAstray(hunk, anchor, spot.start) });
  }
  const applied = maxFuzz === 0 ? whereApplied(hunk, locator) : null;
  return applied === null ? missed(hunk, "nowhere", []) : missed(hunk, "applied", applied);
}

function isAstray({ anchors }: Hunk, anchor: Where["anchor"], start: number): boolean {
  return anchors.length > 0 && (anchor === null || start < anchor.line - 1);
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
