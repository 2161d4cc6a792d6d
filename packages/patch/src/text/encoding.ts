import { isAscii, isUtf8 } from "node:buffer";
import { InvalidArgumentError } from "@llmc/errors";
import type { Scratch } from "./newlines.js";
import { continuationsAfter, lackingIn, textOfUnits, unitsOfText, WesternCheck } from "./windows-1252.js";

/** How the bytes of a file are text. Lines end at U+000A and nowhere else. */
export interface Encoding {
  readonly name: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
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

const WINDOWS_1252: Encoding = {
  ...UTF_8,
  name: "windows-1252",
  decode: (bytes) => textOfUnits(bytes.toString("latin1")),
  stream: () => (bytes) => (bytes === null ? "" : WINDOWS_1252.decode(bytes)),
};

/** Returns the encoding that the byte order mark names; UTF-8 without a mark. */
export function markedEncoding(head: Buffer): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return UTF_16LE;
  return head[0] === 0xfe && head[1] === 0xff ? UTF_16BE : UTF_8;
}

/** Detects the encoding of a whole file. */
export function detectEncoding(bytes: Buffer): Encoding {
  const sniffer = new Sniffer();
  sniffer.push(bytes);
  return sniffer.conclude();
}

/** Detects the encoding of a file read in pieces, because one late letter may tell Latin-1 from UTF-8. */
export class Sniffer {
  #isBegun = false;
  /** Encoding that no later byte can change. */
  #known: Encoding | undefined;
  #western: WesternCheck | undefined;
  /** First bytes of a character that continues in the next piece. */
  #open = Buffer.alloc(0);

  get isSure(): boolean {
    return this.#known !== undefined;
  }

  /** Returns the encoding; `isCut` means that the file has more bytes than were pushed. */
  conclude({ isCut = false } = {}): Encoding {
    if (this.#known !== undefined) return this.#known;
    const western = this.#western ?? new WesternCheck();
    // Adds the open bytes, unless the check already has them.
    if (!isCut) western.push(this.#open);
    return western.isPlausible ? WINDOWS_1252 : UTF_8;
  }

  /** Takes the next piece. The first one must have at least two bytes, unless the file has fewer. */
  push(piece: Buffer): void {
    const marked = this.#isBegun ? UTF_8 : markedEncoding(piece);
    this.#isBegun = true;
    if (marked !== UTF_8) this.#known = marked;
    if (this.#known !== undefined) return;
    if (this.#western === undefined)
      this.#pushText(this.#open.length === 0 ? piece : Buffer.concat([this.#open, piece]));
    else this.#western.push(piece);
  }

  #pushText(bytes: Buffer): void {
    const end = wholeCharacters(bytes);
    const whole = bytes.subarray(0, end);
    this.#open = Buffer.from(bytes.subarray(end));
    if (isAscii(whole)) return;
    if (isUtf8(whole)) this.#known = UTF_8;
    else {
      this.#open = Buffer.alloc(0);
      this.#western = new WesternCheck();
      this.#western.push(bytes);
    }
  }
}

/** Returns the end of the last whole UTF-8 character. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 3; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (continuationsAfter(byte) >= back) return bytes.length - back;
  }
  return bytes.length;
}

/** Returns a text as bytes of the encoding, without a mark. Refuses a character that the encoding lacks. */
export function encodeText(text: string, encoding: Encoding["name"], path: string): Buffer {
  switch (encoding) {
    case "utf-8":
      return Buffer.from(text);
    case "utf-16le":
      return Buffer.from(text, "utf16le");
    case "utf-16be":
      return Buffer.from(text, "utf16le").swap16();
    case "windows-1252":
      return westernBytes(unitsOfText(text), path);
  }
}

export function westernBytes(units: string, path: string): Buffer {
  const lacking = lackingIn(units);
  if (lacking === undefined) return Buffer.from(units, "latin1");
  throw new InvalidArgumentError(`${path} is windows-1252 text, which has no ${JSON.stringify(lacking)}`, {
    id: "other-characters",
  });
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
