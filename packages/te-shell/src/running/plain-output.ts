import { textOf } from "@llmc/te-run";
import { countNewlines, type KeptOutput } from "./kept-output.js";

/** Output of a stream as a reader sees it. */
export interface PlainOutput extends Pick<KeptOutput, "head" | "tail" | "total" | "lines" | "lost"> {
  /** True if the program drew on a full screen, which the output leaves out. */
  readonly isFullScreen: boolean;
}

/** Escape, bell, backspace, return, and the two shifts of a character set. */
const MARKS = [0x1b, 0x07, 0x08, 0x0d, 0x0e, 0x0f];
/* oxlint-disable no-control-regex */
/** Matches the alternate screen, because a terminal removes it when the program leaves it. */
const SCREEN = /\u001b\[\?(?:1049|1047|47)h[^]*?(?:\u001b\[\?(?:1049|1047|47)l|$)/g;
/** Matches a clear of the screen, or a move to a row and a column. */
const DRAWS = /\u001b\[(?:2J|\d+;\d+[Hf])/g;
/* oxlint-enable no-control-regex */
/** Draws that count as a full screen; fewer come from a program that clears the screen or places a line. */
const FEW_DRAWS = 4;

/** Removes escape sequences and screens, and keeps the last state of each line. Other output stays as it is. */
export function plainOutput(output: KeptOutput): PlainOutput {
  const [head, tail] = [output.head(), output.tail()];
  if (![head, tail].some(isMarked)) return unchanged(output);
  const isWhole = output.lost === 0;
  const pieces = isWhole ? [Buffer.concat([head, tail])] : [head, tail];
  const shown = pieces.map(shownOf);
  const [first = Buffer.alloc(0), last = Buffer.alloc(0)] = shown.map(({ bytes }) => bytes);
  return {
    head: () => first,
    tail: () => last,
    total: first.length + output.lost + last.length,
    lines: output.lines - newlinesOf([head, tail]) + newlinesOf([first, last]),
    lost: output.lost,
    isFullScreen: shown.some(({ isFullScreen }) => isFullScreen),
  };
}

/** Returns a text as plainOutput shows it. */
export function plainText(text: string): string {
  const bytes = Buffer.from(text);
  return isMarked(bytes) ? shownOf(bytes).bytes.toString() : text;
}

function unchanged(output: KeptOutput): PlainOutput {
  const { total, lines, lost } = output;
  return { head: () => output.head(), tail: () => output.tail(), total, lines, lost, isFullScreen: false };
}

function isMarked(bytes: Buffer): boolean {
  return MARKS.some((mark) => bytes.includes(mark));
}

function shownOf(bytes: Buffer): { readonly bytes: Buffer; readonly isFullScreen: boolean } {
  const text = bytes.toString();
  const rest = beforeDrawing(text.replace(SCREEN, ""));
  const plain = textOf(rest === text ? bytes : Buffer.from(rest), { isRaw: false, isTerminal: false });
  return { bytes: Buffer.from(plain), isFullScreen: rest !== text };
}

function beforeDrawing(text: string): string {
  let draws = 0;
  for (const _ of text.matchAll(DRAWS)) {
    draws += 1;
    if (draws === FEW_DRAWS) return text.slice(0, text.search(DRAWS));
  }
  return text;
}

function newlinesOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, bytes) => sum + countNewlines(bytes), 0);
}
