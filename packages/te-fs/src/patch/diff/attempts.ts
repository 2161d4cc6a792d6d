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

/** From the strictest way to the loosest. */
export function attemptsFor(file: FileText, hunk: Hunk, maxFuzz: number): readonly Attempt[] {
  const [written, ...others] = readingsOf(hunk);
  if (written === undefined) return [];
  const views: readonly View[] = [
    "exact",
    "text",
    "trimmed",
    ...(holdsReplacement(hunk.lines, file) ? (["shown"] as const) : []),
  ];
  const attempts: Attempt[] = views.map((view) => ({ reading: written, view, fuzz: 0, cut: 0 }));
  for (const reading of others) {
    for (const view of ["exact", "trimmed"] as const) attempts.push({ reading, view, fuzz: 0, cut: 0 });
  }
  for (let fuzz = 1; fuzz <= maxFuzz; fuzz++) {
    const less = withoutEdges(written, fuzz);
    if (less !== null) for (const view of views) attempts.push({ ...less, view, fuzz });
  }
  return attempts;
}
