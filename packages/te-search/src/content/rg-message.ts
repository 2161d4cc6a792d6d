import type { Bytes } from "@llmc/names";
import type { SeenLine } from "./make-hit.js";

type Text =
  | { readonly text: string; readonly bytes?: undefined }
  | { readonly text?: undefined; readonly bytes: string };
interface BeginData {
  readonly path: Text;
}
interface MatchData {
  readonly lines: Text;
  readonly line_number: number;
  readonly absolute_offset: number;
  readonly submatches: readonly { readonly start: number; readonly end: number }[];
}

/** What is text begins so; else there is "bytes". */
const IS_TEXT = 0x74;
const PATH_AT = '{"type":"begin","data":{"path":{"'.length;
const TEXT = 'text":"'.length;
const AFTER_PATH = '"}}}'.length;

/** The path in the message `begin`, which lies in `bytes` from `from` up to `to`. */
export function pathIn(bytes: Buffer, from: number, to: number): Bytes {
  const at = from + PATH_AT;
  if (bytes[at] === IS_TEXT) {
    const path = bytes.toString("latin1", at + TEXT, to - AFTER_PATH);
    if (!path.includes("\\")) return path;
  }
  const { path } = dataIn(bytes, from, to) as BeginData;
  return (path.text === undefined ? Buffer.from(path.bytes, "base64") : Buffer.from(path.text)).toString("latin1");
}

// Quotes within a text are escaped, so that no text holds one of these.
const LINES = Buffer.from('"},"lines":{"');
const AFTER_LINES = Buffer.from('"},"line_number":');
const AFTER_MATCH = Buffer.from('"},"start":');
const OFFSET = ',"absolute_offset":'.length;
const SPANS = ',"submatches":['.length;
const END = ',"end":'.length;
const [DIGIT_0, DIGIT_9, CLOSED] = [0x30, 0x39, 0x5d];
const [BACKSLASH, LETTER_N] = [0x5c, 0x6e];
/** Of a line with more matches nobody shows where all are. */
const MOST_SPANS = 100;

/** The line in the message `match`. Of thousands of messages that are well known most need no parser. */
export function lineIn(bytes: Buffer, from: number, to: number): SeenLine {
  return knownLine(bytes, from, to) ?? anyLine(dataIn(bytes, from, to) as MatchData);
}

function knownLine(bytes: Buffer, from: number, to: number): SeenLine | undefined {
  const lines = bytes.indexOf(LINES, from) + LINES.length;
  if (lines < from + LINES.length || lines > to || bytes[lines] !== IS_TEXT) return undefined;
  const end = bytes.indexOf(AFTER_LINES, lines + TEXT);
  if (end === -1 || end > to) return undefined;
  const line = numberIn(bytes, end + AFTER_LINES.length);
  const offset = numberIn(bytes, behindNumber + OFFSET);
  if (Number.isNaN(line) || Number.isNaN(offset)) return undefined;
  const spans = spansIn(bytes, behindNumber + SPANS, to);
  // Of most lines only their end is escaped.
  const escape = bytes.indexOf(BACKSLASH, lines + TEXT);
  const isEnded = escape === end - 2 && bytes[end - 1] === LETTER_N;
  const text = bytes.toString("utf8", lines + TEXT, isEnded ? escape : end);
  return { line, offset, bytes: isEnded || escape === -1 || escape > end ? text : unescaped(text), isEnded, spans };
}

function spansIn(bytes: Buffer, first: number, to: number): SeenLine["spans"] {
  const spans: (readonly [number, number])[] = [];
  let at = first;
  // Behind the last one the list is closed: nothing is looked for in the messages that follow.
  while (bytes[at] !== CLOSED && spans.length < MOST_SPANS) {
    const mark = bytes.indexOf(AFTER_MATCH, at);
    if (mark === -1 || mark > to) break;
    const start = numberIn(bytes, mark + AFTER_MATCH.length);
    spans.push([start, numberIn(bytes, behindNumber + END)]);
    at = behindNumber + 1;
  }
  return spans;
}

/** Where the number ends that was read last. Beside it, for thousands of numbers not to be thousands of objects. */
let behindNumber = 0;

function numberIn(bytes: Buffer, from: number): number {
  let [value, at] = [0, from];
  for (let digit = bytes[at]; digit !== undefined && digit >= DIGIT_0 && digit <= DIGIT_9; digit = bytes[at]) {
    value = value * 10 + (digit - DIGIT_0);
    at += 1;
  }
  behindNumber = at;
  return at === from ? Number.NaN : value;
}

function unescaped(text: string): string {
  return JSON.parse(`"${text}"`) as string;
}

function anyLine({ lines, line_number, absolute_offset, submatches }: MatchData): SeenLine {
  const bytes = lines.text ?? Buffer.from(lines.bytes, "base64");
  const spans = submatches.map(({ start, end }) => [start, end] as const);
  return { line: line_number, offset: absolute_offset, bytes, isEnded: false, spans };
}

function dataIn(bytes: Buffer, from: number, to: number): unknown {
  return (JSON.parse(bytes.toString("utf8", from, to)) as { readonly data: unknown }).data;
}
