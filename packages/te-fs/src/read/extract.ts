import type { Work } from "@llmc/te-path";
import { type Encoding, CHUNK } from "@llmc/patch";
import { startLongLine, type LongLine } from "./long-line.js";
import type { Page } from "./page.js";
import type { Fetch } from "./scan.js";

export interface Range {
  readonly encoding: Encoding;
  /** Where a line starts. */
  readonly position: number;
  readonly end: number;
  /** A line with more bytes is not kept while it is read. */
  readonly maxLineChars: number;
}

// Most pages fit in the first, most others in the second; a longer piece only pays in the middle of an endless line.
const FIRST = 16 * 1024;
const PIECE = 64 * 1024;
const NEWLINE = 10;

/** Puts lines on a page until it is full. */
export function* extract({ encoding, position, end, maxLineChars }: Range, fetch: Fetch, page: Page): Work<void> {
  let open: LongLine | undefined;
  let at = position;
  while (at < end && !page.full) {
    const wanted = open !== undefined ? CHUNK : at === position ? FIRST : PIECE;
    const piece = yield* fetch(at, Math.min(wanted, end - at));
    if (piece.length === 0) break;
    open = addLines(encoding, piece, open, maxLineChars, page);
    at += piece.length;
  }
  if (open !== undefined && !page.full) page.add(open.finish(false));
}

/** Adds the lines that end in this piece; gives back the one that goes on in the next. */
function addLines(
  encoding: Encoding,
  piece: Buffer,
  begun: LongLine | undefined,
  maxLineChars: number,
  page: Page,
): LongLine | undefined {
  let open = begun;
  let from = 0;
  let inRuns = encoding.unit === 1;
  while (from < piece.length && !page.full) {
    if (inRuns && open === undefined) {
      const taken = addRun(encoding, piece, from, page);
      inRuns = taken !== undefined;
      from += taken ?? 0;
      if (taken !== undefined && taken > 0) continue;
    }
    const newline = encoding.newline(piece, from);
    const bytes = piece.subarray(from, newline === -1 ? piece.length : newline);
    if (open === undefined && newline !== -1 && bytes.length <= maxLineChars) page.add(wholeLine(encoding, bytes));
    else {
      open ??= startLongLine(encoding, maxLineChars);
      open.push(bytes);
      if (newline !== -1) page.add(open.finish(true));
      else if (page.cannotHold(open.chars)) page.end();
      if (newline !== -1) open = undefined;
    }
    from = newline === -1 ? piece.length : newline + encoding.unit;
  }
  return open;
}

/** Adds whole lines as they stand, as many as need not be looked at one by one: their bytes, or undefined if not all are text. */
function addRun(encoding: Encoding, piece: Buffer, from: number, page: Page): number | undefined {
  const { room } = page;
  const stop = Math.min(piece.length, from + room.bytes);
  let lines = 0;
  let end = from;
  for (let at = from; at < stop && lines < room.lines; at++) {
    if (piece[at] !== NEWLINE) continue;
    if (at - end > room.bytesOfLine) break;
    lines += 1;
    end = at + 1;
  }
  if (lines === 0) return 0;
  const text = encoding.decode(piece.subarray(from, end));
  // Bytes that are no text take more room as what stands for them.
  if (Buffer.byteLength(text) !== end - from) return undefined;
  page.addRun(text, end - from, lines);
  return end - from;
}

// No text has more characters than bytes.
function wholeLine(encoding: Encoding, bytes: Buffer): { text: string; chars: number; terminator: "\n" | "\r\n" } {
  const text = encoding.decode(bytes);
  const body = text.endsWith("\r") ? text.slice(0, -1) : text;
  return { text: body, chars: body.length, terminator: body === text ? "\n" : "\r\n" };
}
