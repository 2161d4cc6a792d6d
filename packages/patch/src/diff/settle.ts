import { regionOf, type Miss, type Placed, type Placement } from "./placement.js";
import type { Hunk } from "./plan.js";

/** Makes a placement at a line, from 0, if the hunk fits there. */
export type PlaceAt = (hunk: Hunk, start: number) => Placement | undefined;

/** Hunks with several places get theirs where the hunks around them leave only one, or as many as there are such hunks. */
export function settleAmbiguous({ placements, misses }: Placed, placeAt: PlaceAt): Placed {
  const settled: Placement[] = [...placements];
  const left: Miss[] = [];
  for (const alike of runsOf(misses)) {
    const between = candidatesBetween(alike, placements);
    const found = alike.flatMap(({ hunk }, nth) => placeAt(hunk, (between[nth] ?? 0) - 1) ?? []);
    const all = between.length === alike.length && found.length === alike.length;
    if (all) settled.push(...found);
    else left.push(...alike);
  }
  return { placements: settled, misses: left };
}

/** Ambiguous hunks in a row that could stand at the same lines; any other miss is alone. */
function runsOf(misses: readonly Miss[]): readonly (readonly Miss[])[] {
  const runs: Miss[][] = [];
  for (const miss of misses) {
    const run = runs.at(-1);
    if (run?.[0] !== undefined && sameChoice(run[0], miss)) run.push(miss);
    else runs.push([miss]);
  }
  return runs;
}

function sameChoice(one: Miss, other: Miss): boolean {
  return one.reason === "ambiguous" && other.reason === "ambiguous" && one.lines.join() === other.lines.join();
}

function candidatesBetween(alike: readonly Miss[], placements: readonly Placement[]): readonly number[] {
  const [first, last] = [alike[0], alike.at(-1)];
  if (first?.reason !== "ambiguous" || last === undefined) return [];
  const above = placements.findLast(({ hunk }) => hunk.number < first.hunk.number);
  const below = placements.find(({ hunk }) => hunk.number > last.hunk.number);
  const from = above === undefined ? 0 : regionOf(above).to;
  const to = below === undefined ? Number.POSITIVE_INFINITY : regionOf(below).from;
  return first.lines.filter((line) => line - 1 >= from && line - 1 < to);
}
