import type { Hit } from "../query/content-query.js";

/** A line that matches, as an engine tells it: offsets and spans in bytes. */
export interface SeenLine {
  readonly line: number;
  readonly offset: number;
  /** The line with its end; with several lines, those of one match. */
  readonly bytes: Buffer | string;
  /** The last newline was left out of `bytes`. */
  readonly isEnded?: boolean;
  /** Of each match its beginning and its end. */
  readonly spans: readonly Mark[];
}

const MAX_SPANS = 100;
/** What is kept of a line of megabytes. */
const LONG_LINE_BYTES = 200_000;

/** The beginning of a line, up to the end of a character. */
export function beginningOf(line: Buffer): Buffer {
  let end = Math.min(line.length, LONG_LINE_BYTES);
  while (end > 0 && end < line.length && ((line[end] as number) & 0xc0) === 0x80) end -= 1;
  return line.subarray(0, end);
}

type Mark = readonly [from: number, to: number];

export function makeHit({ line, offset, bytes, spans }: SeenLine, maxChars: number): Hit {
  const whole = typeof bytes === "string" ? bytes : bytes.toString("utf8");
  const text = withoutEnd(whole);
  const marks = inCharacters(bytes, whole, spans.length > MAX_SPANS ? spans.slice(0, MAX_SPANS) : spans);
  const first = Math.min(marks[0]?.[0] ?? 0, text.length);
  const [from, to] = windowAround(text, first, maxChars);
  const isWhole = from === 0 && to === text.length;
  const hit = {
    line,
    column: codePoints(text, 0, first) + 1,
    offset,
    text: isWhole ? text : text.slice(from, to),
    cut: isWhole ? UNCUT : { before: codePoints(text, 0, from), after: codePoints(text, to, text.length) },
    spans: isWhole && isInside(marks, to) ? marks : within(marks, from, to),
  };
  // Nearly always as it is: a copy of each of thousands would be twice the work.
  return text.includes("\n", to) ? { ...hit, endLine: line + text.split("\n").length - 1 } : hit;
}

/** Most hits are not cut: they share this. */
const UNCUT = { before: 0, after: 0 };

function isInside(marks: readonly Mark[], end: number): boolean {
  for (const mark of marks) if (mark[1] > end) return false;
  return true;
}

function within(marks: readonly Mark[], from: number, to: number): Mark[] {
  const kept: Mark[] = [];
  for (const mark of marks) {
    const [start, end] = mark;
    if (start > to || end < from) continue;
    kept.push(from === 0 && end <= to ? mark : [Math.max(start, from) - from, Math.min(end, to) - from]);
  }
  return kept;
}

function withoutEnd(text: string): string {
  const end = text.length - (text.endsWith("\n") ? 1 : 0);
  return text.slice(0, text[end - 1] === "\r" ? end - 1 : end);
}

function inCharacters(bytes: Buffer | string, text: string, spans: readonly Mark[]): readonly Mark[] {
  const size = typeof bytes === "string" ? Buffer.byteLength(bytes) : bytes.length;
  if (size === text.length) return spans;
  const buffer = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
  let [atByte, atChar] = [0, 0];
  const advance = (byte: number): number => {
    atChar += buffer.toString("utf8", atByte, byte).length;
    atByte = byte;
    return Math.min(atChar, text.length);
  };
  return spans.map(([start, end]) => [advance(start), advance(end)] as const);
}

/** The part to keep: a quarter of it stands before the match. */
function windowAround(text: string, first: number, maxChars: number): readonly [from: number, to: number] {
  if (text.length <= maxChars) return [0, text.length];
  let from = Math.max(0, Math.min(first - Math.floor(maxChars / 4), text.length - maxChars));
  let to = from + maxChars;
  if (isLowSurrogate(text, from)) from += 1;
  if (isLowSurrogate(text, to)) to -= 1;
  return [from, to];
}

function isLowSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}

function codePoints(text: string, from: number, to: number): number {
  let count = to - from;
  for (let at = from; at < to; at += 1) if (isLowSurrogate(text, at)) count -= 1;
  return count;
}
