import { coreOf, shapeOf, type Core, type Normalize, type Shape } from "./shape.js";

/** A block to look for in a canonical text. */
export interface Wanted {
  readonly lines: readonly WantedLine[];
  /** It begins with blanks that are forgiven, so it begins where a line begins; else it may begin anywhere. */
  readonly wholeStart: boolean;
  /** It ends with blanks that are forgiven, so it ends where a line ends. */
  readonly wholeEnd: boolean;
  /** With the "\n" in front and behind that the whole ends ask for. */
  readonly text: string;
}

export interface WantedLine {
  readonly raw: string;
  readonly ended: boolean;
  readonly shape: Shape;
  readonly core: Core;
}

// No block that anybody writes has more, and each takes memory.
const MOST_LINES = 100_000;

/** Undefined when there is nothing in it but whitespace: without that it would be everywhere. */
export function wantedOf(block: string, normalize: Normalize): Wanted | undefined {
  if (block.trim() === "") return undefined;
  const raws = block.split("\n", MOST_LINES + 1);
  const lines = raws.map((raw, nth) => wantedLine(raw, nth, nth < raws.length - 1, normalize));
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined || raws.length > MOST_LINES) return undefined;
  const wholeStart = first.core.from > 0;
  const wholeEnd = last.core.to < last.raw.length;
  const text = lines.map(({ core }) => core.text).join("\n");
  return { lines, wholeStart, wholeEnd, text: `${wholeStart ? "\n" : ""}${text}${wholeEnd ? "\n" : ""}` };
}

function wantedLine(raw: string, nth: number, ended: boolean, normalize: Normalize): WantedLine {
  const shape = shapeOf(raw, ended);
  // Blanks at the very end of a block are the indentation of the line it stops in.
  const blankEnd = !ended && nth > 0 && shape.lead === shape.end;
  const forgiven = blankEnd ? { ...normalize, trailingWhitespace: false } : normalize;
  return { raw, ended, shape, core: coreOf(raw, shape, forgiven) };
}
