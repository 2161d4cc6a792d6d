import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { close, fill, open, put, type Bytes, type Descriptor, type Steps } from "../kernel/syscalls.js";
import type { ContentMark } from "./undo-step.js";

/** Where old content lies: in memory, in a log that is open, or in a file. */
export type Content =
  | { readonly bytes: Uint8Array }
  | { readonly file: Descriptor; readonly at: number; readonly size: number }
  | { readonly path: Bytes; readonly at: number; readonly size: number };

const CHUNK = 1024 * 1024;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Writes the content to a file and says what it was. */
export function* pour(content: Content, to: Descriptor): Steps<ContentMark> {
  if ("bytes" in content) {
    yield* put(to, content.bytes);
    return { sha256: createHash("sha256").update(content.bytes).digest("hex"), size: content.bytes.length };
  }
  if ("file" in content) return yield* pourFrom(content.file, content, to);
  const file = yield* open(null, content.path, READ);
  try {
    return yield* pourFrom(file, content, to);
  } finally {
    yield* close(file);
  }
}

function* pourFrom(
  from: Descriptor,
  { at, size }: { readonly at: number; readonly size: number },
  to: Descriptor,
): Steps<ContentMark> {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK, size));
  let done = 0;
  while (done < size) {
    const count = yield* fill(from, chunk.subarray(0, Math.min(chunk.length, size - done)), at + done);
    if (count === 0) break;
    hash.update(chunk.subarray(0, count));
    yield* put(to, chunk.subarray(0, count));
    done += count;
  }
  return { sha256: hash.digest("hex"), size: done };
}
