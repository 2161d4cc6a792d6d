import { lastUpTo } from "./changes.js";
import { countNewlines } from "./lines.js";
import { beforeBlanks, behindBlanks, coreOf, shapeOf, type Core, type Normalize, type Shape } from "./shape.js";

/** A text without what is forgiven, in which a block without it can be found by plain search. */
export interface Canonical {
  /** The cores of all lines, each between two "\n". */
  readonly text: string;
  readonly lines: number;
  /** The line a place of `text` lies in; -1 before the first. */
  lineAt(place: number): number;
  line(index: number): CanonicalLine;
}

export interface CanonicalLine {
  /** Where it begins in the units, and where its core does in the canonical text. */
  readonly start: number;
  readonly at: number;
  /** The line without its "\n". */
  readonly raw: string;
  readonly ended: boolean;
  readonly shape: Shape;
  readonly core: Core;
}

export function canonicalOf(units: string, normalize: Normalize): Canonical {
  const lines = countNewlines(units, 0, units.length) + 1;
  const starts = new Int32Array(lines);
  const places = new Int32Array(lines);
  // What lies between two blanks that are left out is taken in one piece, be it a part of a line or thousands of them.
  const pieces = ["\n"];
  let taken = 0;
  let less = -1;
  const leaveOut = (from: number, to: number): void => {
    if (from === to) return;
    pieces.push(units.slice(taken, from));
    less += to - from;
    taken = to;
  };
  for (let line = 0, start = 0; line < lines; line++) {
    const newline = units.indexOf("\n", start);
    const stop = newline === -1 ? units.length : newline;
    const end = newline > start && units.charCodeAt(newline - 1) === 0x0d ? newline - 1 : stop;
    starts[line] = start;
    const from = normalize.indentation ? behindBlanks(units, start, end) : start;
    leaveOut(start, from);
    places[line] = from - less;
    leaveOut(normalize.trailingWhitespace ? beforeBlanks(units, from, end) : end, end);
    leaveOut(normalize.lineEndings ? end : stop, stop);
    start = stop + 1;
  }
  pieces.push(units.slice(taken), "\n");
  return {
    text: pieces.join(""),
    lines,
    lineAt: (at) => lastUpTo(places, at),
    line: remembered((index) => lineOf(units, normalize, starts[index] ?? units.length, places[index] ?? 0)),
  };
}

function lineOf(units: string, normalize: Normalize, start: number, at: number): CanonicalLine {
  const newline = units.indexOf("\n", start);
  const ended = newline !== -1;
  const raw = units.slice(start, ended ? newline : units.length);
  const shape = shapeOf(raw, ended);
  return { start, at, raw, ended, shape, core: coreOf(raw, shape, normalize) };
}

/** A line may be the whole file and hold a hundred thousand matches: it is measured once. */
function remembered<T>(make: (index: number) => T): (index: number) => T {
  let known: { readonly index: number; readonly made: T } | undefined;
  return (index) => {
    if (known?.index !== index) known = { index, made: make(index) };
    return known.made;
  };
}
