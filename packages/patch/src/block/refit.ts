import { isBlankLine, leadOf, type LinePair } from "./compare.js";
import { reindentBy, type Reindent } from "./indent.js";
import type { Spend } from "./limits.js";
import type { Terminator } from "./lines.js";
import type { Match } from "./match.js";
import { shapeOf, type Normalize } from "./shape.js";

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
  /** Told of every line that is made; throws when that is too much. */
  readonly spend: Spend;
}

interface NewLine {
  readonly text: string;
  /** A "\n" follows in what the caller wrote; at an open end it is not written. */
  readonly ended: boolean;
  readonly followed: boolean;
}

/** The new text as the file would have it: lines that stay keep their bytes, others get its indentation and endings. */
export function refit(text: string, place: Place, { normalize, spend }: RefitOptions): string {
  const closes = place.closed && text.endsWith("\n");
  const followed = closes && !place.atOpenEnd;
  const lines = newLines(closes ? text.slice(0, -1) : text, closes, followed);
  const stays = stayingLines(lines, place.pairs, normalize);
  const reindent = reindentBy(normalize.indentation ? place.pairs.flatMap(indents) : []);
  const fit = (line: NewLine, nth: number): string => {
    const pair = stays(nth);
    if (pair !== undefined) return kept(line, pair, place);
    const within = nth === 0 && place.pairs[0]?.begins === false;
    const body = within ? line.text : indented(line, reindent);
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

function indents({ own, there, begins }: LinePair): readonly (readonly [string, string])[] {
  if (!begins || (isBlankLine(own) && own.ended)) return [];
  return [[leadOf(own), leadOf(there)]];
}

/** A blank line has no indentation, but blanks at the end of the text are that of what follows. */
function indented({ text, ended }: NewLine, reindent: Reindent): string {
  const { lead, end } = shapeOf(text, ended);
  return lead === end && ended ? text : `${reindent(text.slice(0, lead))}${text.slice(lead)}`;
}
