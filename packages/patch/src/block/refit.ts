import { isBlankLine, leadOf, type LinePair } from "./compare.js";
import { reindentBy } from "./indent.js";
import type { Spend } from "./limits.js";
import type { Terminator } from "./lines.js";
import type { Match } from "./match.js";
import { shapeOf, type Normalize } from "./shape.js";
import { shiftOf, type Shift } from "./shift.js";

export interface Place {
  readonly match: Match;
  /** The block's lines beside the file's; behind a final "\n" there is none. */
  readonly pairs: readonly LinePair[];
  /** The block ends with a "\n". */
  readonly closed: boolean;
  /** That "\n" is one that the file does not have at its end. */
  readonly atOpenEnd: boolean;
  /** How lines end there; undefined where no line ends. */
  readonly terminator: Terminator | undefined;
}

export interface RefitOptions {
  readonly normalize: Normalize;
  /** Indents only by one difference that all lines share; else by the nearest line whose indentation is known. */
  readonly isStrict: boolean;
  /** Told of every line that is made; throws when that is too much. */
  readonly spend: Spend;
}

interface NewLine {
  readonly text: string;
  /** A "\n" follows in what the caller wrote; at an open end it is not written. */
  readonly ended: boolean;
  readonly followed: boolean;
}

/**
 * Fits the new text to the file: lines that stay keep their bytes, new lines get the file's indentation and line ends.
 * Returns undefined if `isStrict` is set and no single difference tells the indentation.
 */
export function refit(text: string, place: Place, options: RefitOptions): string | undefined {
  const { normalize, spend } = options;
  const closes = place.closed && text.endsWith("\n");
  const followed = closes && !place.atOpenEnd;
  const lines = newLines(closes ? text.slice(0, -1) : text, closes, followed);
  const stays = stayingLines(lines, place.pairs, normalize);
  const moves = (line: NewLine, nth: number): boolean => {
    const isWithin = nth === 0 && place.pairs[0]?.begins === false;
    return normalize.indentation && !isWithin && stays(nth) === undefined && !isBlank(line);
  };
  const reindent = reindentFor(place, options, lines.filter(moves).map(indentOf));
  if (reindent === undefined) return undefined;
  const fit = (line: NewLine, nth: number): string => {
    const pair = stays(nth);
    if (pair !== undefined) return kept(line, pair, place);
    const indent = indentOf(line);
    const body = moves(line, nth) ? `${reindent(indent) ?? indent}${line.text.slice(indent.length)}` : line.text;
    return normalize.lineEndings ? withEnding(body, line, place.terminator) : body;
  };
  const fitted = lines.map((line, nth) => {
    const made = fit(line, nth);
    spend(made.length + 1);
    return made;
  });
  return `${fitted.join("\n")}${followed ? "\n" : ""}`;
}

function newLines(text: string, lastEnded: boolean, lastFollowed: boolean): readonly NewLine[] {
  const texts = text.split("\n");
  const last = texts.length - 1;
  return texts.map((line, nth) => ({
    text: line,
    ended: nth < last || lastEnded,
    followed: nth < last || lastFollowed,
  }));
}

/** Which lines of the new text are the block's own: those that both share at their beginning and at their end. */
function stayingLines(
  lines: readonly NewLine[],
  pairs: readonly LinePair[],
  normalize: Normalize,
): (nth: number) => LinePair | undefined {
  const offset = pairs.length - lines.length;
  const same = (nth: number, pair: LinePair | undefined): boolean => {
    const line = lines[nth];
    if (line === undefined || pair?.own.ended !== line.ended) return false;
    return bare(line.text, line.ended, normalize) === bare(pair.own.raw, line.ended, normalize);
  };
  let head = 0;
  while (same(head, pairs[head])) head += 1;
  let tail = lines.length;
  while (tail + offset > head && same(tail - 1, pairs[tail - 1 + offset])) tail -= 1;
  return (nth) => (nth < head ? pairs[nth] : nth >= tail ? pairs[nth + offset] : undefined);
}

function bare(line: string, ended: boolean, { lineEndings }: Normalize): string {
  return lineEndings ? line.slice(0, shapeOf(line, ended).end) : line;
}

/** What the file has of the line within the match. */
function kept(line: NewLine, { there }: LinePair, { match, terminator }: Place): string {
  const raw = there.raw.slice(Math.max(0, match.from - there.start), Math.max(0, match.to - there.start));
  return there.ended ? raw : withEnding(raw, line, terminator);
}

function withEnding(text: string, { ended, followed }: NewLine, terminator: Terminator | undefined): string {
  if (terminator === undefined) return text;
  const body = text.slice(0, shapeOf(text, ended).end);
  return followed && terminator === "\r\n" ? `${body}\r` : body;
}

/** Returns the shift for the indentations of the new text; undefined if a strict fit is ambiguous. */
function reindentFor(place: Place, { isStrict }: RefitOptions, indents: readonly string[]): Shift | undefined {
  const pairs = place.pairs.flatMap(pairedIndents);
  if (!isStrict) return reindentBy(pairs);
  const told = new Map<string, Shift>();
  for (const shift of shiftsAt(place, pairs)) {
    const all = indents.map(shift);
    if (!all.includes(undefined)) told.set(all.join("\n"), shift);
  }
  // Refuses two differences that both explain the place but indent the new text differently.
  return told.size === 1 ? [...told.values()][0] : undefined;
}

/** Returns the differences that explain a place. A block may lack the indentation of its first line alone. */
function shiftsAt({ pairs: [first], match }: Place, pairs: readonly IndentPair[]): readonly Shift[] {
  const others = shiftOf(pairs);
  if (first === undefined || first.begins || leadOf(first.own) !== "" || isBlankLine(first.own)) return listed(others);
  if (match.from !== first.there.start + first.there.shape.lead) return listed(others);
  const lead = leadOf(first.there);
  const all = listed(shiftOf([["", lead], ...pairs]));
  return lead !== "" && others?.("") === "" ? [...all, others] : all;
}

function listed(shift: Shift | undefined): readonly Shift[] {
  return shift === undefined ? [] : [shift];
}

type IndentPair = readonly [own: string, there: string];

function pairedIndents({ own, there, begins }: LinePair): readonly IndentPair[] {
  if (!begins || (isBlankLine(own) && own.ended)) return [];
  return [[leadOf(own), leadOf(there)]];
}

function indentOf({ text, ended }: NewLine): string {
  return text.slice(0, shapeOf(text, ended).lead);
}

/** A blank line has no indentation, but blanks at the end of the text are that of what follows. */
function isBlank({ text, ended }: NewLine): boolean {
  const { lead, end } = shapeOf(text, ended);
  return lead === end && ended;
}
