import { constants } from "node:fs";
import { fill, type Descriptor, type Work, withEntry, withOpen, type FileTarget } from "@llmc/te-path";
import { CHUNK, type Encoding, markedEncoding, Sniffer } from "@llmc/patch";

/** How a text goes on. */
export interface TextEnd {
  readonly encoding: Encoding["name"];
  /** Its last line has no newline yet. */
  readonly isOpen: boolean;
}

const NEWLINES = {
  "utf-8": Buffer.of(10),
  "windows-1252": Buffer.of(10),
  "utf-16le": Buffer.of(10, 0),
  "utf-16be": Buffer.of(0, 10),
};
/** A file with this much ASCII in front counts as UTF-8, because only a full read would tell. */
const SNIFFED_BYTES = 8 * CHUNK;

/**
 * Returns the encoding and the open end of a text. ASCII bytes to add need no full detection, because all encodings
 * without a mark write ASCII alike.
 */
export function* endOf(target: FileTarget, added: Uint8Array): Work<TextEnd> {
  const size = Number(target.found.size);
  return yield* withEntry(target, (entry) =>
    withOpen(entry, constants.O_RDONLY, function* (file) {
      const { name, unit } = markedEncoding(yield* bytesAt(file, 0, 2));
      const last = yield* bytesAt(file, Math.max(0, size - unit), unit);
      const isOpen = last.length > 0 && !last.equals(NEWLINES[name]);
      const isAscii = unit === 1 && added.every((byte) => byte < 0x80);
      return { encoding: unit === 2 || isAscii ? name : yield* sniffed(file, size), isOpen };
    }),
  );
}

function* sniffed(file: Descriptor, size: number): Work<Encoding["name"]> {
  const sniffer = new Sniffer();
  for (let at = 0; at < Math.min(size, SNIFFED_BYTES) && !sniffer.isSure; at += CHUNK) {
    sniffer.push(yield* bytesAt(file, at, CHUNK));
  }
  return sniffer.conclude({ isCut: size > SNIFFED_BYTES }).name;
}

function* bytesAt(file: Descriptor, at: number, count: number): Work<Buffer> {
  const bytes = Buffer.alloc(count);
  return bytes.subarray(0, yield* fill(file, bytes, at));
}
