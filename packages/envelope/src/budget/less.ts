import { estimateTokens } from "@llmc/toolkit";

/** A text with fewer lines. */
export interface Less {
  readonly text: string;
  /** Lines of the text that are not empty, and the number that is left out. */
  readonly lines: number;
  readonly leftOut: number;
}

/** Characters below which every line stays. */
const SMALL = 1024;
/** Name of a failing test, a failure, or a total. */
const VERDICT =
  /^-{4} .+ -{4}$|^_{3}|^\s*\d+\) |error|fail|✖|✗|●|panic|fatal|exception|denied|not ok|\b\d+ (?:passed|passing|failing|skipped|errors?|warnings?|tests?)\b/i;
/** A place in a file: `a.ts:12`, `a.ts(12,5)`, `a.ts: 12, 20`, `File "a.py", line 12`. */
const PLACE = /[\w./@~-]+\.\w+(?::\s?\d+(?:, \d+)*|\(\d+(?:,\d+)?\)|", line \d+)/g;
/** A line that is told below the path of its file. */
const NUMBERED = /^\s+(\d+)(?=[:\s]|$)/;
const PATH = /^\s*[\w.@~-]*[./][\w./@~-]*:?$/;
const LONGEST = 200;
/** Share of the beginning; the end tells how the command ended. */
const HEAD_SHARE = 0.4;

/** Leaves out lines above so many tokens, but none that tells of a verdict, a failing test or a place in a file. */
export function less(text: string, tokens: number): Less | undefined {
  if (text.length < SMALL || estimateTokens(text) <= tokens) return undefined;
  const lines = text.replace(/\n$/, "").split("\n");
  const filled = lines.flatMap((line, at) => (line.trim() === "" ? [] : [at]));
  const numbered = belowPaths(lines);
  const isKept = (at: number, index: number) =>
    index === 0 || index === filled.length - 1 || numbered.has(at) || tellsMuch(lines[at] ?? "");
  const kept = new Set(filled.filter(isKept));
  const cost = (at: number) => estimateTokens(`${lines[at] ?? ""}\n`);
  const room = tokens - [...kept].reduce((sum, at) => sum + cost(at), 0);
  const rest = filled.filter((at) => !kept.has(at));
  for (const at of fitting(rest, cost, room * HEAD_SHARE)) kept.add(at);
  for (const at of fitting(rest.toReversed(), cost, room * (1 - HEAD_SHARE))) kept.add(at);
  const shown = filled.filter((at) => kept.has(at));
  const textOf = (at: number) => lines[at] ?? "";
  const told = tokens === 0 ? joined(shown.map((at) => shortened(textOf(at), numbered.has(at)))) : shown.map(textOf);
  return { text: `${told.join("\n")}\n`, lines: filled.length, leftOut: filled.length - kept.size };
}

function tellsMuch(line: string): boolean {
  return VERDICT.test(line) || line.search(PLACE) !== -1;
}

/** Lines of places that a digest tells as a path with line numbers below it. */
function belowPaths(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  lines.forEach((line, at) => {
    const before = lines[at - 1] ?? "";
    if (!NUMBERED.test(line) || !(PATH.test(before) || found.has(at - 1))) return;
    found.add(at - 1).add(at);
  });
  return found;
}

function fitting(lines: readonly number[], cost: (at: number) => number, room: number): number[] {
  let left = room;
  const end = lines.findIndex((at) => (left -= cost(at)) < 0);
  return end === -1 ? [...lines] : lines.slice(0, end);
}

interface Told {
  readonly text: string;
  /** A place alone, which stands in one line with others. */
  readonly isPlace: boolean;
}

/** Tells the beginning of a line that tells of a verdict, and the places of any line. */
function shortened(line: string, isNumbered: boolean): Told {
  const number = isNumbered ? NUMBERED.exec(line)?.[1] : undefined;
  if (number !== undefined) return { text: number, isPlace: true };
  const places = [...line.matchAll(PLACE)].map(([place]) => place);
  if (places.length > 0 && !VERDICT.test(line)) return { text: places.join(", "), isPlace: true };
  const head = line.slice(0, LONGEST);
  return { text: [head, ...places.filter((place) => !head.includes(place))].join(" "), isPlace: false };
}

/** Puts places that follow each other in one line. */
function joined(lines: readonly Told[]): string[] {
  const told: string[] = [];
  lines.forEach(({ text, isPlace }, at) => {
    if (isPlace && lines[at - 1]?.isPlace === true) told.push(`${told.pop() ?? ""}, ${text}`);
    else told.push(isPlace ? `  ${text}` : text);
  });
  return told;
}
