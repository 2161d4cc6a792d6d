import { isBlank } from "../nearest/difference.js";

/** Differences of whitespace that an edit forgives. */
export interface Normalize {
  readonly trailingWhitespace: boolean;
  readonly lineEndings: boolean;
  readonly indentation: boolean;
}

export const FORGIVE_ALL: Normalize = { trailingWhitespace: true, lineEndings: true, indentation: true };

export const LINE_ENDS: Normalize = { trailingWhitespace: false, lineEndings: true, indentation: false };

/** Where the parts of a line lie: blanks, text, blanks, "\r". A blank line is all lead and all trail. */
export interface Shape {
  /** Where the blanks in front end. */
  readonly lead: number;
  /** Where the blanks behind begin. */
  readonly trail: number;
  /** Where the line ending begins. */
  readonly end: number;
}

/** `ended`: a "\n" follows, so that a "\r" at the end belongs to the line ending. */
export function shapeOf(line: string, ended: boolean): Shape {
  const end = ended && line.endsWith("\r") ? line.length - 1 : line.length;
  return { lead: behindBlanks(line, 0, end), trail: beforeBlanks(line, 0, end), end };
}

/** Where the blanks that begin at `from` end. */
export function behindBlanks(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** Where the blanks that end at `to` begin. */
export function beforeBlanks(text: string, from: number, to: number): number {
  let at = to;
  while (at > from && isBlank(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** What of a line must be the same. */
export interface Core {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export function coreOf(line: string, { lead, trail, end }: Shape, normalize: Normalize): Core {
  const from = normalize.indentation ? lead : 0;
  const to = Math.max(from, normalize.trailingWhitespace ? trail : end);
  const ending = normalize.lineEndings ? "" : line.slice(end);
  return { from, to, text: `${line.slice(from, to)}${ending}` };
}
