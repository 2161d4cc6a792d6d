import type { Hunk, HunkLine } from "./plan.js";

/** What was not exact and was seen through. */
export type Slip =
  | "line ends"
  | "trailing whitespace"
  | "indentation"
  | "bytes that are no UTF-8"
  | "context lines without their space"
  | "a space too many before each line"
  | "the place named behind @@"
  | "the end of the file"
  | "counts in @@";

/** One way to read a hunk's lines. */
export interface Reading {
  readonly lines: readonly HunkLine[];
  readonly slip: Slip | null;
}

/** As it is written, and as writers get it wrong. */
export function readingsOf({ lines }: Hunk): readonly [Reading, ...Reading[]] {
  const readings: [Reading, ...Reading[]] = [{ lines, slip: null }];
  if (lines.some(isSpaced)) {
    const bare = lines.map((line) => (isSpaced(line) ? { ...line, text: ` ${line.text}` } : line));
    readings.push({ lines: bare, slip: "context lines without their space" });
  }
  if (lines.every((line) => line.text === "" || (line.text.startsWith(" ") && !line.bare))) {
    const shifted = lines.map((line) => ({ ...line, text: line.text.slice(1) }));
    readings.push({ lines: shifted, slip: "a space too many before each line" });
  }
  return readings;
}

function isSpaced(line: HunkLine): boolean {
  return line.op === " " && !line.bare && line.text !== "";
}

export function oldLines(lines: readonly HunkLine[]): readonly HunkLine[] {
  return lines.filter((line) => line.op !== "+");
}

export function newLines(lines: readonly HunkLine[]): readonly HunkLine[] {
  return lines.filter((line) => line.op !== "-");
}

export interface Edges {
  /** Context lines above the first change, and below the last. */
  readonly lead: number;
  readonly trail: number;
}

export function edgesOf(lines: readonly HunkLine[]): Edges {
  const lead = lines.findIndex((line) => line.op !== " ");
  if (lead === -1) return { lead: lines.length, trail: 0 };
  return { lead, trail: lines.length - 1 - lines.findLastIndex((line) => line.op !== " ") };
}

/** Without the `fuzz` outermost context lines of either end; null if that is no less, or leaves nothing to go by. */
export function withoutEdges(
  reading: Reading,
  fuzz: number,
): { readonly reading: Reading; readonly cut: number } | null {
  const { lead, trail } = edgesOf(reading.lines);
  const cut = Math.min(fuzz, lead);
  const below = Math.min(fuzz, trail);
  if (Math.max(lead, trail) < fuzz) return null;
  const lines = reading.lines.slice(cut, reading.lines.length - below);
  return oldLines(lines).some(saysSomething) ? { reading: { ...reading, lines }, cut } : null;
}

const ELIDED = /^\s*(?:\/\/|#|\/\*|--|<!--|;)?\s*(?:\.\.\.|…)/;

/** Whether a line stands for others that were left out. */
export function isElided(text: string): boolean {
  return ELIDED.test(text);
}

/** Not blank, and not only brackets. */
export function saysSomething({ text }: Pick<HunkLine, "text">): boolean {
  return /[^\s{}()[\];,]/.test(text);
}
