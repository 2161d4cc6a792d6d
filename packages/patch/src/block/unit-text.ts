import { detectEncoding, westernBytes, type Encoding } from "../text/encoding.js";
import { textOfUnits, unitsOfText } from "../text/windows-1252.js";

/**
 * File as a string with one character for each byte, or for each pair of bytes in UTF-16. Any bytes survive the round
 * trip, so untouched bytes stay, and native string search works on the string.
 */
export interface UnitText {
  readonly name: Encoding["name"];
  readonly units: string;
  readonly bytesPerUnit: 1 | 2;
  encode(text: string): string;
  /** Units that are no text become U+FFFD. */
  decode(units: string): string;
  /** Replaces bytes that are not UTF-8 with U+FFFD, because readers that know only UTF-8 display them so. */
  shown(units: string): string;
  /** Refuses a character that the encoding of the file lacks. */
  toBytes(units: string, path: string): Buffer;
  /** How many units this content has, and a part of them; it is this file's, or what `toBytes` made. */
  lengthOf(content: Buffer): number;
  part(content: Buffer, from: number, to: number): string;
  /** Whether a character that began before goes on with this unit. */
  continues(unit: number): boolean;
}

export function unitTextOf(bytes: Buffer): UnitText {
  const { name, unit } = detectEncoding(bytes);
  if (unit === 2) return wide(bytes, name);
  return name === "windows-1252" ? western(bytes) : narrow(bytes);
}

function narrow(bytes: Buffer): UnitText {
  let units: string | undefined;
  return {
    name: "utf-8",
    get units() {
      units ??= bytes.toString("latin1");
      return units;
    },
    bytesPerUnit: 1,
    encode: (text) => Buffer.from(text, "utf8").toString("latin1"),
    decode: (units) => Buffer.from(units, "latin1").toString("utf8"),
    shown: (units) => Buffer.from(Buffer.from(units, "latin1").toString("utf8")).toString("latin1"),
    toBytes: (units) => Buffer.from(units, "latin1"),
    lengthOf: (content) => content.length,
    part: (content, from, to) => content.toString("latin1", from, to),
    continues: (unit) => (unit & 0xc0) === 0x80,
  };
}

function western(bytes: Buffer): UnitText {
  return {
    ...narrow(bytes),
    name: "windows-1252",
    encode: unitsOfText,
    decode: textOfUnits,
    shown: (units) => units.replaceAll(/[^\p{ASCII}]/gu, "\ufffd"),
    toBytes: westernBytes,
    continues: () => false,
  };
}

const MARK_BYTES = 2;

/** The mark in front and half a pair at the end are no characters: they are kept apart and put back. */
function wide(bytes: Buffer, name: Encoding["name"]): UnitText {
  const bigEndian = name === "utf-16be";
  const end = bytes.length - (bytes.length % 2);
  const read = (pairs: Buffer): string => (bigEndian ? Buffer.from(pairs).swap16() : pairs).toString("utf16le");
  const decode = (units: string): string =>
    new TextDecoder("utf-16le", { ignoreBOM: true }).decode(Buffer.from(units, "utf16le"));
  return {
    name,
    units: read(bytes.subarray(MARK_BYTES, end)),
    bytesPerUnit: 2,
    encode: (text) => text,
    decode,
    shown: decode,
    toBytes(units) {
      const changed = Buffer.from(units, "utf16le");
      return Buffer.concat([
        bytes.subarray(0, MARK_BYTES),
        bigEndian ? changed.swap16() : changed,
        bytes.subarray(end),
      ]);
    },
    lengthOf: (content) => Math.floor((content.length - MARK_BYTES) / 2),
    part: (content, from, to) => read(content.subarray(MARK_BYTES + 2 * from, MARK_BYTES + 2 * to)),
    continues: (unit) => (unit & 0xfc00) === 0xdc00,
  };
}
