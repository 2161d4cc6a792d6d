import { fill, type Descriptor, type Work } from "@llmc/te-path";
import { CHUNK, markedEncoding, Sniffer, type Encoding, type Scratch } from "@llmc/patch";
import type { LineMap } from "./line-map.js";

export const HEAD = 8192;
const STRIDE = 64 * 1024;
const MAX_MARKS = 16 * 1024;

export interface ScanOptions {
  readonly size: number;
  readonly scratch: Scratch;
  /** Filled with the file's bytes as they are read, if it is there. */
  readonly whole?: Buffer | undefined;
  /** Sees the first bytes before anything else is done with them, and may refuse them. */
  readonly inspect?: (head: Buffer, encoding: Encoding) => void;
}

/** Scans a file once from its start, up to `size`, and maps its lines. */
export function* scan(fetch: Fetch, { size, scratch, whole, inspect }: ScanOptions): Work<LineMap> {
  let marks: number[] = [];
  let stride = STRIDE;
  let newlines = 0;
  const sniffer = new Sniffer();
  let encoding: Encoding = markedEncoding(Buffer.alloc(0));
  let endsInNewline = true;
  let end = 0;
  while (end < size) {
    const wanted = Math.min(CHUNK, size - end);
    const chunk = yield* fetch(end, wanted);
    const count = chunk.length;
    if (count === 0) break;
    if (end === 0) {
      encoding = markedEncoding(chunk);
      inspect?.(chunk.subarray(0, HEAD), encoding);
    }
    sniffer.push(chunk);
    whole?.set(chunk, end);
    for (let from = 0; from < count; from += STRIDE) {
      if ((end + from) % stride === 0) marks.push(newlines);
      newlines += encoding.count(scratch, from, Math.min(count, from + STRIDE));
    }
    endsInNewline = isNewlineAtEnd(encoding, chunk);
    end += count;
    if (count < wanted) break;
    if (marks.length > MAX_MARKS) {
      marks = marks.filter((_, index) => index % 2 === 0);
      stride *= 2;
    }
  }
  const hasTail = end > encoding.start && !endsInNewline;
  // The line count fits the detected encoding too, because all encodings without a mark have the same newlines.
  return { encoding: sniffer.conclude(), end, lines: newlines + (hasTail ? 1 : 0), stride, marks };
}

function isNewlineAtEnd(encoding: Encoding, chunk: Buffer): boolean {
  const { unit } = encoding;
  return chunk.length % unit === 0 && encoding.newline(chunk, chunk.length - unit) !== -1;
}

/** Where line `line` (from 0) starts. Reads at most one stride. */
export function* findLine(map: LineMap, line: number, fetch: Fetch, scratch: Scratch): Work<number> {
  const { encoding, marks, stride, end } = map;
  if (line === 0) return encoding.start;
  const index = lastBelow(marks, line);
  let newlines = marks[index] ?? 0;
  for (let position = index * stride; position < end;) {
    const piece = yield* fetch(position, Math.min(stride, CHUNK, end - position));
    if (piece.length === 0) break;
    const from = piece.byteOffset - scratch.bytes.byteOffset;
    const here = encoding.count(scratch, from, from + piece.length);
    if (newlines + here >= line) return position + nthNewline(encoding, piece, line - newlines) + encoding.unit;
    newlines += here;
    position += piece.length;
  }
  return end;
}

/** Brings a piece of the file into the scratch buffer. */
export type Fetch = (position: number, length: number) => Work<Buffer>;

/** Fetches from the scratch buffer, which the scan of a small file has left full. */
export function fetchHeld({ bytes }: Scratch): Fetch {
  // A fetch may ask the kernel; memory has no need to.
  // oxlint-disable-next-line require-yield
  return function* (position, length) {
    return bytes.subarray(position, position + length);
  };
}

/** Fetches from the bytes in memory, if there are any, else from the file. */
export function fetchFrom(file: Descriptor, kept: Buffer | null, { bytes }: Scratch): Fetch {
  return function* (position, length) {
    if (kept !== null) return bytes.subarray(0, kept.copy(bytes, 0, position, position + length));
    return bytes.subarray(0, yield* fill(file, bytes.subarray(0, length), position));
  };
}

function lastBelow(marks: readonly number[], line: number): number {
  let [low, high] = [0, marks.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((marks[middle] ?? 0) < line) low = middle;
    else high = middle - 1;
  }
  return low;
}

function nthNewline(encoding: Encoding, piece: Buffer, nth: number): number {
  let at = encoding.newline(piece, 0);
  for (let seen = 1; seen < nth; seen++) at = encoding.newline(piece, at + encoding.unit);
  return at;
}
