import { createHash } from "node:crypto";
import { constants } from "node:fs";
import {
  type ContentMark,
  SYNC_BYTES,
  chmod,
  chown,
  fill,
  fstat,
  fsync,
  put,
  type Descriptor,
  type HashCache,
  type Stat,
  type Work,
  type Target,
  sha256OfBytes,
  withEntry,
  withOpen,
  hasFile,
} from "@llmc/te-path";

export interface NewContent {
  readonly bytes: Uint8Array;
  /** Permission bits; without it those of the file that is replaced, or what a new file gets. */
  readonly mode?: number | undefined;
  /** Set to append to the old content; caches the hashes of files that grow. */
  readonly afterOld?: HashCache | undefined;
  /** The old content, if the caller has just read it. */
  readonly before?: Uint8Array | undefined;
}

/** Facts about a temp file after its sync. */
export interface Filled {
  readonly mark: ContentMark;
  readonly stat: Stat;
  /** Mark of the old content, if that was given. */
  readonly before: ContentMark | undefined;
}

const CHUNK = 1024 * 1024;
const MODE = 0o777n;
const ALL_BITS = 0o7777n;

/** Fills a temp file. Hashes `before`, if given, while the disk is busy. */
export function* fillTemp(
  file: Descriptor,
  target: Target,
  content: NewContent,
  before: Uint8Array | undefined,
): Work<Filled> {
  const mark = yield* pourInto(file, target, content);
  const stat = yield* withLooks(file, target.found, content.mode);
  let old: ContentMark | undefined;
  const sumUp = before && ((): void => void (old = { sha256: sha256OfBytes(before), size: before.length }));
  yield* fsync(file, mark.size > SYNC_BYTES ? undefined : stat.dev, sumUp);
  return { mark, stat: file.mount === null ? stat : yield* fstat(file), before: old };
}

function* pourInto(file: Descriptor, target: Target, { bytes, afterOld }: NewContent): Work<ContentMark> {
  const isCopied = afterOld !== undefined && hasFile(target);
  if (!isCopied && bytes.length <= SYNC_BYTES) {
    yield* put(file, bytes);
    return { sha256: sha256OfBytes(bytes), size: bytes.length };
  }
  const sum = createHash("sha256");
  let size = 0;
  const add = function* (chunk: Uint8Array): Work<void> {
    size += chunk.length;
    yield* put(file, chunk, -1, () => void sum.update(chunk));
  };
  if (isCopied) {
    yield* withEntry(target, (entry) => withOpen(entry, constants.O_RDONLY, (old) => eachChunk(old, add)));
  }
  for (let at = 0; at < bytes.length; at += CHUNK) yield* add(bytes.subarray(at, at + CHUNK));
  return { sha256: sum.digest("hex"), size };
}

function* eachChunk(file: Descriptor, take: (chunk: Uint8Array) => Work<void>): Work<void> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  for (let at = 0; ;) {
    const count = yield* fill(file, chunk, at);
    if (count === 0) return;
    yield* take(chunk.subarray(0, count));
    at += count;
  }
}

/** Nobody may see more of the new content than of the old one: not even before it has the same owner. */
export function modeFor(found: Stat | undefined): number {
  if (found === undefined) return 0o666;
  const { uid, gid, mode } = found;
  const isOurs = uid === BigInt(process.geteuid?.() ?? -1) && gid === BigInt(process.getegid?.() ?? -1);
  return isOurs ? Number(mode & MODE) : 0o600;
}

/** Owner and mode of the file that is replaced; setuid and setgid are not for new content. */
function* withLooks(file: Descriptor, found: Stat | undefined, mode: number | undefined): Work<Stat> {
  const mine = yield* fstat(file);
  const owner = found ?? mine;
  const bits = mode === undefined ? owner.mode & MODE : BigInt(mode) & MODE;
  const isOwners = mine.uid === owner.uid && mine.gid === owner.gid;
  if (isOwners && (mine.mode & ALL_BITS) === bits) return mine;
  if (!isOwners) yield* chown(file, Number(owner.uid), Number(owner.gid));
  yield* chmod(file, Number(bits));
  return yield* fstat(file);
}
