import type { Canonical, CanonicalLine } from "./canonical.js";
import type { Match } from "./match.js";
import type { Normalize } from "./shape.js";
import type { Wanted, WantedLine } from "./wanted.js";

/** A line of the block beside the line of the file that stands for it. */
export interface LinePair {
  readonly own: WantedLine;
  readonly there: CanonicalLine;
  /** Whether the block has the line from its beginning, so that indentations can be compared; and to its end. */
  readonly begins: boolean;
  readonly ends: boolean;
  /** From 0. */
  readonly line: number;
}

export function pairsOf(canonical: Canonical, wanted: Wanted, match: Match): readonly LinePair[] {
  const last = wanted.lines.length - 1;
  return wanted.lines.flatMap((own, nth) => {
    const line = match.line + nth;
    // Behind a final "\n" the block has no line.
    if (nth === last && own.raw === "") return [];
    const begins = nth > 0 || wanted.wholeStart;
    const ends = nth < last || wanted.wholeEnd;
    return [{ own, there: canonical.line(line), begins, ends, line }];
  });
}

export type Forgiven = "trailing whitespace" | "line endings" | "indentation";

/** What had to be forgiven in a line. */
export function forgivenIn(pair: LinePair, normalize: Normalize): readonly Forgiven[] {
  const { own, there } = pair;
  const ending = own.ended && (!there.ended || own.raw.slice(own.shape.end) !== there.raw.slice(there.shape.end));
  return [
    ...blanksForgivenIn(pair, normalize),
    ...(ending && normalize.lineEndings ? (["line endings"] as const) : []),
  ];
}

function blanksForgivenIn({ own, there, begins, ends }: LinePair, normalize: Normalize): readonly Forgiven[] {
  if (isBlankLine(own) && ends) {
    if (!begins || leadOf(own) === leadOf(there)) return [];
    return [normalize.trailingWhitespace ? "trailing whitespace" : "indentation"];
  }
  const kinds: Forgiven[] = [];
  if (normalize.indentation && begins && leadOf(own) !== leadOf(there)) kinds.push("indentation");
  if (normalize.trailingWhitespace && ends && trailOf(own) !== trailOf(there)) kinds.push("trailing whitespace");
  return kinds;
}

export function isBlankLine({ shape }: Pick<WantedLine, "shape">): boolean {
  return shape.lead === shape.end;
}

export function leadOf({ raw, shape }: Pick<WantedLine, "raw" | "shape">): string {
  return raw.slice(0, shape.lead);
}

function trailOf({ raw, shape }: Pick<WantedLine, "raw" | "shape">): string {
  return raw.slice(shape.trail, shape.end);
}
