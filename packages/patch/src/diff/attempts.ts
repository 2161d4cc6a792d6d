import type { FileText } from "./file-text.js";
import type { Hunk } from "./plan.js";
import { readingsOf, withoutEdges, type Reading } from "./readings.js";
import { holdsReplacement, type View } from "./views.js";

/** A way to look for a hunk. */
export interface Attempt {
  readonly reading: Reading;
  readonly view: View;
  readonly fuzz: number;
  /** Context lines that were cut off at the top. */
  readonly cut: number;
}

/** With all lines, from the strictest way to compare them to the loosest, and as writers get them wrong. */
export function strictAttempts(file: FileText, hunk: Hunk): readonly Attempt[] {
  const [written, ...others] = readingsOf(hunk);
  const views: readonly View[] = ["exact", "trimmed"];
  return [...ways(written, viewsFor(file, hunk)), ...others.flatMap((reading) => ways(reading, views))];
}

/** Without the outermost context lines: first one at each end, then more. */
export function looseAttempts(file: FileText, hunk: Hunk, maxFuzz: number): readonly Attempt[] {
  const [written] = readingsOf(hunk);
  return Array.from({ length: maxFuzz }, (_, less) => less + 1).flatMap((fuzz) => {
    const rest = withoutEdges(written, fuzz);
    return rest === null ? [] : ways(rest.reading, viewsFor(file, hunk), fuzz, rest.cut);
  });
}

function viewsFor(file: FileText, { lines }: Hunk): readonly View[] {
  const views: readonly View[] = ["exact", "text", "trimmed"];
  return holdsReplacement(lines, file) ? [...views, "shown"] : views;
}

function ways(reading: Reading, views: readonly View[], fuzz = 0, cut = 0): readonly Attempt[] {
  return views.map((view) => ({ reading, view, fuzz, cut }));
}
