import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { WriteFailedError } from "@llmc/errors";
import type { Bytes } from "@llmc/names";
import {
  close,
  fill,
  fstat,
  fsync,
  inFolder,
  open,
  put,
  truncate,
  type Descriptor,
  type Stat,
  type Work,
} from "../kernel/syscalls.js";
import { sha256Of } from "../content/content-hash.js";
import { withOpen } from "../content/open-entry.js";
import { putSparse } from "../content/put-sparse.js";
import { copyAttributes } from "./copy-attributes.js";
import type { Name } from "./name.js";

export interface CopyFileOptions {
  /** The source, for errors. */
  readonly shown: () => string;
  /** On the disk when it returns. */
  readonly durable: boolean;
  /** Keep setuid and setgid as well. */
  readonly privileges: boolean;
  /** A megabyte or so to work with. */
  readonly buffer: Buffer;
  /** Told how many bytes of the file are copied. */
  readonly progress: (bytes: number) => void;
  /** Judges the file that was really opened. */
  readonly judge: (stat: Stat, mount: Bytes | null) => Work<void>;
}

const MAKE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const ATTEMPTS = 3;

/**
 * The content, mode, owner and time of the regular file that `entry` names, under a name that nothing has. What was
 * written is read again and compared. Returns the state that was copied.
 */
export function* copyFile(
  entry: Descriptor,
  { folder, name }: Name,
  options: CopyFileOptions,
): Work<{ readonly before: Stat; readonly made: Stat; readonly sha256: string }> {
  return yield* withOpen(entry, constants.O_RDONLY, function* (source) {
    const target = yield* open(folder.mount, inFolder(folder, name), MAKE, 0o600);
    try {
      const { before, sha256 } = yield* pourWhole(source, target, options);
      yield* copyAttributes(target, before, options.privileges);
      if (options.durable) yield* fsync(target);
      return { before, made: yield* fstat(target), sha256 };
    } finally {
      yield* close(target);
    }
  });
}

/** One state of a file that others may be writing to. */
function* pourWhole(
  source: Descriptor,
  target: Descriptor,
  options: CopyFileOptions,
): Work<{ readonly before: Stat; readonly sha256: string }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = yield* fstat(source);
    yield* options.judge(before, source.mount);
    if (attempt > 0) yield* truncate(target, 0);
    const sha256 = yield* pour(source, target, before, options);
    if (!isSameState(before, yield* fstat(source))) continue;
    if (sha256 === (yield* sha256Of(target))) return { before, sha256 };
    throw new WriteFailedError(options.shown(), "its copy does not have the same content", { hint: "Check the disk." });
  }
  throw new WriteFailedError(options.shown(), "it changes while it is copied", {
    hint: "Try again when nothing writes to it.",
  });
}

function isSameState(a: Stat, b: Stat): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && (a.ctimeNs === b.ctimeNs || a.nlink !== b.nlink);
}

/** The sum of what was read. */
function* pour(
  source: Descriptor,
  target: Descriptor,
  { size, blocks }: Stat,
  { buffer, progress }: CopyFileOptions,
): Work<string> {
  const hash = createHash("sha256");
  const isSparse = blocks * 512n < size;
  const end = Number(size);
  for (let at = 0; at < end;) {
    const chunk = buffer.subarray(0, Math.min(buffer.length, end - at));
    const count = yield* fill(source, chunk, at);
    if (count === 0) break;
    const read = chunk.subarray(0, count);
    hash.update(read);
    yield* isSparse ? putSparse(target, read, at) : put(target, read, at);
    at += count;
    progress(at);
  }
  if (isSparse) yield* truncate(target, end);
  return hash.digest("hex");
}
