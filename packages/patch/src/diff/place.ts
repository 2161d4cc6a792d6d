import { whereAppliedInPlace, whereInserted } from "./applied.js";
import type { FileText } from "./file-text.js";
import { placeInsertion } from "./insertion.js";
import type { Pace } from "./pace.js";
import { isApplied, missed, placement, regionOf, type Miss, type Placed, type Placement } from "./placement.js";
import type { Hunk } from "./plan.js";
import { newLines, oldLines } from "./readings.js";
import { seek, type Course, type Search } from "./seek.js";
import { settleAmbiguous } from "./settle.js";
import { holdsReplacement, type View } from "./views.js";

/** Finds the place of each hunk in the file as it is; the placements come in the order of the file. */
export async function placeHunks(search: Search, hunks: readonly Hunk[], pace: Pace): Promise<Placed> {
  const placements: Placement[] = [];
  const misses: Miss[] = [];
  let offset = 0;
  let floor = 0;
  for (const hunk of hunks) {
    if (pace.isDue) await pace.rest();
    const found = placeHunk(search, hunk, { offset, floor });
    if ("reason" in found) {
      misses.push(found);
      // A hunk applied before has already moved the lines below it.
      if (isApplied(found)) offset += newLines(hunk.lines).length - oldLines(hunk.lines).length;
    } else {
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

function placeHunk(search: Search, hunk: Hunk, course: Course): Placement | Miss {
  if (search.locator.budget.left < 0) return missed(hunk, "too repetitive", []);
  if (oldLines(hunk.lines).length === 0) return placeInsertion(search.file, hunk, course, search.locator.budget);
  const expected = hunk.line === null ? null : Math.max(0, hunk.line - 1);
  const straight = expected === null ? undefined : placeAsStated(search, hunk, expected, course);
  const found = straight ?? seek(search, hunk, expected, course);
  if (!("hunk" in found)) return missed(hunk, "ambiguous", found.candidates);
  if ("reason" in found) return found;
  if (losesBytes(found, search.file)) return missed(hunk, "unreadable", [found.start]);
  const stated = expected === null ? null : expected + course.offset;
  const there = whereInserted(found, search.locator) ?? whereAppliedInPlace(found, stated, search.file, search.locator);
  return there === null ? found : missed(hunk, "applied", [there]);
}

/** Bytes that are no text were shown as U+FFFD: in a new line that sign would take their place. */
function losesBytes({ lines, slips }: Placement, file: FileText): boolean {
  return (
    slips.includes("bytes that are no UTF-8") &&
    holdsReplacement(
      lines.filter(({ op }) => op === "+"),
      file,
    )
  );
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
