import { constants } from "node:fs";
import { OutputTooLargeError, UnsupportedContentError } from "@llmc/errors";
import { fill, fstat, type Descriptor, type Work, withEntry, withOpen, type FileTarget } from "@llmc/te-path";
import { describeBinary } from "../read/binary.js";

const CHUNK = 1024 * 1024;
const LOOKED_AT = 8192;

/** All of a text file that is to be patched. */
export function* readWhole(target: FileTarget, maxBytes: number): Work<Buffer> {
  const bytes = yield* withEntry(target, (entry) =>
    withOpen(entry, constants.O_RDONLY, (file) => bytesOf(file, target.shown, maxBytes)),
  );
  const head = bytes.subarray(0, LOOKED_AT);
  if (head.includes(0) && !isUtf16(head)) {
    throw new UnsupportedContentError(target.shown, describeBinary(head), bytes.length, { id: "patch-text-only" });
  }
  return bytes;
}

function* bytesOf(file: Descriptor, shown: string, maxBytes: number): Work<Buffer> {
  const size = Number((yield* fstat(file)).size);
  if (size > maxBytes) {
    throw new OutputTooLargeError(shown, `has ${size} bytes; files above ${maxBytes} are not patched`, {
      id: "too-large-to-patch",
    });
  }
  // One more than it has: a file that grows meanwhile must not be cut.
  const bytes = Buffer.allocUnsafeSlow(size + 1);
  let at = 0;
  while (at < bytes.length) {
    const count = yield* fill(file, bytes.subarray(at, at + CHUNK), at);
    if (count === 0) return bytes.subarray(0, at);
    at += count;
  }
  return yield* bytesOf(file, shown, maxBytes);
}

function isUtf16(head: Buffer): boolean {
  return head[0] === 0xff ? head[1] === 0xfe : head[0] === 0xfe && head[1] === 0xff;
}
