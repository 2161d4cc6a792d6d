import type { Hash } from "node:crypto";
import { constants } from "node:fs";
import {
  SYNC_BYTES,
  fstat,
  fsync,
  hashOf,
  putOnce,
  steadily,
  truncate,
  withEntry,
  withOpen,
  type ContentMark,
  type Descriptor,
  type FileTarget,
  type HashCache,
  type Stat,
  type Work,
} from "@llmc/te-path";
import type { Change } from "../store/change.js";

export interface Grown {
  readonly mark: ContentMark;
  readonly stat: Stat;
}

/** One write at the end of the file. */
export function* grow(hashes: HashCache, target: FileTarget, bytes: Uint8Array, change: Change): Work<Grown> {
  return yield* withEntry(target, (entry) =>
    withOpen(entry, constants.O_RDWR | constants.O_APPEND, function* (file) {
      const before = yield* fstat(file);
      const sizeBefore = Number(before.size);
      const hash = hashes.get(before) ?? (yield* hashOf(file, sizeBefore));
      const step = { did: "appended", path: target.real, sizeBefore, sha256Before: hash.copy().digest("hex") } as const;
      const mark = markOf(hash.update(bytes), sizeBefore + bytes.length);
      change.note({ ...step, after: mark });
      yield* steadily(writeAll(file, bytes, before, change));
      const stat = yield* fstat(file);
      const isAlone = Number(stat.size) === mark.size;
      const after = isAlone ? mark : yield* readBack(file, stat);
      // Another program wrote as well: what the file has now is what undo must find.
      if (!isAlone) change.amend({ ...step, after });
      else hashes.set(stat, hash);
      return { mark: after, stat };
    }),
  );
}

/** All or, on a full disk, nothing: the part that fitted is cut off again. */
function* writeAll(file: Descriptor, bytes: Uint8Array, { size, dev }: Stat, change: Change): Work<void> {
  const sizeBefore = Number(size);
  let done = 0;
  try {
    while (done < bytes.length) done += yield* putOnce(file, bytes.subarray(done));
    yield* fsync(file, bytes.length > SYNC_BYTES ? undefined : dev);
  } catch (thrown) {
    if (Number((yield* fstat(file)).size) === sizeBefore + done) yield* truncate(file, sizeBefore);
    change.strike();
    throw thrown;
  }
}

function* readBack(file: Descriptor, { size }: Stat): Work<{ sha256: string; size: number }> {
  return markOf(yield* hashOf(file, Number(size)), Number(size));
}

function markOf(hash: Hash, size: number): { sha256: string; size: number } {
  return { sha256: hash.copy().digest("hex"), size };
}
