import { constants } from "node:fs";
import { fill, type Descriptor, type Work, withEntry, withOpen, type FileTarget } from "@llmc/te-path";
import { detectEncoding, type Encoding } from "@llmc/patch";

/** How a text goes on. */
export interface TextEnd {
  readonly encoding: Encoding["name"];
  /** Its last line has no newline yet. */
  readonly isOpen: boolean;
}

const NEWLINES = { "utf-8": Buffer.of(10), "utf-16le": Buffer.of(10, 0), "utf-16be": Buffer.of(0, 10) };

export function* endOf(target: FileTarget): Work<TextEnd> {
  return yield* withEntry(target, (entry) =>
    withOpen(entry, constants.O_RDONLY, function* (file) {
      const { name, unit } = detectEncoding(yield* bytesAt(file, 0, 2));
      const last = yield* bytesAt(file, Math.max(0, Number(target.found.size) - unit), unit);
      return { encoding: name, isOpen: last.length > 0 && !last.equals(NEWLINES[name]) };
    }),
  );
}

export function encoded(bytes: Uint8Array, encoding: Encoding["name"]): Uint8Array {
  if (encoding === "utf-8") return bytes;
  const pairs = Buffer.from(Buffer.from(bytes).toString("utf8"), "utf16le");
  return encoding === "utf-16be" ? pairs.swap16() : pairs;
}

function* bytesAt(file: Descriptor, at: number, count: number): Work<Buffer> {
  const bytes = Buffer.alloc(count);
  return bytes.subarray(0, yield* fill(file, bytes, at));
}
