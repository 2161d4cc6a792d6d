import { createHash } from "node:crypto";
import { constants } from "node:fs";
import {
  close,
  fill,
  open,
  put,
  truncate,
  type Descriptor,
  type Work,
  putSparse,
  done,
  type ContentMark,
} from "@llmc/te-path";
import type { Bytes } from "@llmc/names";

/** Where old content lies: in memory, in a log that is open, or in a file. */
export type Content =
  | { readonly bytes: Uint8Array }
  | { readonly file: Descriptor; readonly at: number; readonly size: number }
  | { readonly path: Bytes; readonly at: number; readonly size: number };

const CHUNK = 1024 * 1024;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Writes the content to a file and says what it was. */
export function pour(content: Content, to: Descriptor): Work<ContentMark> {
  return read(content, Number.POSITIVE_INFINITY, (chunk) => put(to, chunk));
}

/** The same into an empty file, with holes for its zeros. */
export function* pourSparse(content: Content, to: Descriptor): Work<ContentMark> {
  let at = 0;
  const mark = yield* read(content, Number.POSITIVE_INFINITY, function* (chunk) {
    yield* putSparse(to, chunk, at);
    at += chunk.length;
  });
  yield* truncate(to, mark.size);
  return mark;
}

/** What the first `size` bytes are. */
export function sumOf(content: Content, size: number): Work<ContentMark> {
  return read(content, size, () => done(undefined));
}

type Use = (chunk: Uint8Array) => Work<void>;

function* read(content: Content, first: number, use: Use): Work<ContentMark> {
  if ("bytes" in content) {
    const bytes = content.bytes.subarray(0, first);
    yield* use(bytes);
    return { sha256: createHash("sha256").update(bytes).digest("hex"), size: bytes.length };
  }
  const part = { at: content.at, size: Math.min(first, content.size) };
  if ("file" in content) return yield* readPart(content.file, part, use);
  const file = yield* open(null, content.path, READ);
  try {
    return yield* readPart(file, part, use);
  } finally {
    yield* close(file);
  }
}

function* readPart(file: Descriptor, { at, size }: { at: number; size: number }, use: Use): Work<ContentMark> {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK, size));
  let done = 0;
  while (done < size) {
    const count = yield* fill(file, chunk.subarray(0, Math.min(chunk.length, size - done)), at + done);
    if (count === 0) break;
    hash.update(chunk.subarray(0, count));
    yield* use(chunk.subarray(0, count));
    done += count;
  }
  return { sha256: hash.digest("hex"), size: done };
}

/** What a change has kept. */
export interface Held {
  contentOf(sha256: string): Content | undefined;
  /** The absolute path of what was removed. */
  keptAt(kept: string): string;
}
