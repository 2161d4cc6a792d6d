import type { Scratch } from "./newlines.js";

/** How the bytes of a file are text. Lines end at U+000A and nowhere else. */
export interface Encoding {
  readonly name: "utf-8" | "utf-16le" | "utf-16be";
  /** Bytes of a newline; every line starts at a multiple of it. */
  readonly unit: 1 | 2;
  /** Where the text starts: behind a UTF-16 mark, but at a UTF-8 one, which is kept. */
  readonly start: number;
  /** Newlines of `scratch` from an offset that is a multiple of the unit up to another offset. */
  count(scratch: Scratch, from: number, to: number): number;
  /** Where the next newline starts, or -1. */
  newline(bytes: Buffer, from: number): number;
  /** The text of whole lines. Bytes that are no text become U+FFFD. */
  decode(bytes: Buffer): string;
  /** The same for pieces that may end anywhere; `push(null)` gives what is left at the end. */
  stream(): (bytes: Buffer | null) => string;
}

const UTF_8: Encoding = {
  name: "utf-8",
  unit: 1,
  start: 0,
  count: (scratch, from, to) => scratch.count(from, to),
  newline: (bytes, from) => bytes.indexOf(10, from),
  decode: (bytes) => bytes.toString("utf8"),
  stream: () => streamOf(new TextDecoder("utf-8", { ignoreBOM: true })),
};

const UTF_16LE: Encoding = {
  name: "utf-16le",
  unit: 2,
  start: 2,
  count: ({ bytes }, from, to) => count16(bytes, 0, from, to),
  newline: (bytes, from) => newline16(bytes, 0, from),
  decode: (bytes) => new TextDecoder("utf-16le", { ignoreBOM: true }).decode(bytes),
  stream: () => streamOf(new TextDecoder("utf-16le", { ignoreBOM: true })),
};

const UTF_16BE: Encoding = {
  name: "utf-16be",
  unit: 2,
  start: 2,
  count: ({ bytes }, from, to) => count16(bytes, 1, from, to),
  newline: (bytes, from) => newline16(bytes, 1, from),
  decode: (bytes) => UTF_16LE.decode(swapped(bytes)),
  stream: () => {
    const push = UTF_16LE.stream();
    return (bytes) => push(bytes && swapped(bytes));
  },
};

export function detectEncoding(head: Buffer): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return UTF_16LE;
  return head[0] === 0xfe && head[1] === 0xff ? UTF_16BE : UTF_8;
}

function streamOf(decoder: InstanceType<typeof TextDecoder>): (bytes: Buffer | null) => string {
  return (bytes) => (bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true }));
}

// `low` is where in a pair the byte 0x0A of a newline stands.
function count16(bytes: Buffer, low: 0 | 1, from: number, to: number): number {
  let count = 0;
  for (let at = from; at + 1 < to; at += 2) if (bytes[at + low] === 10 && bytes[at + 1 - low] === 0) count += 1;
  return count;
}

function newline16(bytes: Buffer, low: 0 | 1, from: number): number {
  for (let at = bytes.indexOf(10, from + low); at !== -1; at = bytes.indexOf(10, at + 1)) {
    const start = at - low;
    if (start % 2 === 0 && start + 1 < bytes.length && bytes[start + 1 - low] === 0) return start;
  }
  return -1;
}

/** Only the last piece of a file can hold half a pair; it stays at its end and becomes U+FFFD there. */
function swapped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy.subarray(0, copy.length - (copy.length % 2)).swap16();
  return copy;
}
