import type { FileText } from "./file-text.js";
import type { Locator } from "./locate.js";
import type { Placement } from "./placement.js";
import type { Hunk, HunkLine } from "./plan.js";
import { edgesOf, newLines, saysSomething } from "./readings.js";
import type { View } from "./views.js";

/** Where, from 0, the result of a hunk that fits nowhere stands already. */
export function whereApplied(hunk: Hunk, locator: Locator, view: View = "trimmed"): readonly number[] | null {
  const result = resultOf(hunk);
  if (result === null) return null;
  const target = locator.locate(result, view, { expected: null, floor: 0, anchor: null, atEnd: false });
  if (target === undefined) return null;
  return "start" in target ? [target.start] : target.candidates;
}

/** The same for a hunk that fits, but off its place, while the result stands there: where it fits is a likeness then. */
export function whereAppliedInPlace(
  placement: Placement,
  expected: number | null,
  file: FileText,
  locator: Locator,
): number | null {
  const { hunk, start } = placement;
  const result = resultOf(hunk);
  if (result === null) return null;
  if (expected === null) {
    const end = file.count - result.length;
    return hunk.atEnd && start !== end && locator.fitsAt(result, "trimmed", end) ? end : null;
  }
  const off = Math.abs(start - expected);
  const target =
    off === 0 ? undefined : locator.locate(result, "trimmed", { expected, floor: 0, anchor: null, atEnd: false });
  if (target === undefined) return null;
  const places = "start" in target ? [target.start] : target.candidates;
  return places.find((place) => Math.abs(place - expected) * 2 < off) ?? null;
}

/** What a hunk leaves, if it is enough to be recognised. */
function resultOf({ lines }: Hunk): readonly HunkLine[] | null {
  const { lead, trail } = edgesOf(lines);
  const added = lines.some((line) => line.op === "+" && saysSomething(line));
  if (!added && (lead === 0 || trail === 0)) return null;
  return newLines(lines).map((line) => ({ ...line, op: " " }));
}

/**
 * Lines that are only added, below or above the context that the hunk has: if they stand right there already, the diff
 * was applied before, and its context alone would let it be applied again and again.
 */
export function whereInserted({ lines, start, hunk }: Placement, locator: Locator): number | null {
  if (hunk.lines.some((line) => line.op === "-") || hunk.lines.length !== lines.length) return null;
  const { lead, trail } = edgesOf(lines);
  if ((lead === 0) === (trail === 0) || edgesInside(lines, lead, trail)) return null;
  const added = lines.filter((line) => line.op === "+").map((line) => ({ ...line, op: " " as const }));
  const at = lead === 0 ? start - added.length : start + lead;
  if (!added.some(saysSomething) || !locator.fitsAt(added, "trimmed", at)) return null;
  return at;
}

function edgesInside(lines: Placement["lines"], lead: number, trail: number): boolean {
  return lines.slice(lead, lines.length - trail).some((line) => line.op !== "+");
}
