import { createHash, hash } from "node:crypto";
import { constants } from "node:fs";
import { folderOf } from "../at-spot.js";
import type { Hand } from "../hand.js";
import type { ContentMark } from "../journal/undo-step.js";
import { SYNC_BYTES } from "../kernel/drive.js";
import {
  chmod,
  chown,
  close,
  fill,
  fstat,
  fsync,
  inFolder,
  open,
  put,
  steadily,
  unlink,
  type Bytes,
  type Descriptor,
  type Stat,
  type Steps,
} from "../kernel/syscalls.js";
import type { Spot } from "../path/walk.js";
import { withEntry, withOpen } from "./open-entry.js";

export interface NewContent {
  readonly bytes: Uint8Array;
  /** Permission bits; without it those of the file that is replaced, or what a new file gets. */
  readonly mode?: number | undefined;
  /** What the file has now comes first. */
  readonly afterOld?: boolean;
}

/** A file beside the one that it will be, with all of its content on the disk. */
export interface TempFile {
  readonly name: Bytes;
  readonly mark: ContentMark;
  readonly stat: Stat;
}

const MAKE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const CHUNK = 1024 * 1024;

export function* writeTemp(hand: Hand, spot: Spot, content: NewContent): Steps<TempFile> {
  const { parent, found } = spot;
  const name = hand.temps.name(folderOf(spot.real));
  try {
    const file = yield* open(parent.mount, inFolder(parent, name), MAKE, found === undefined ? 0o666 : 0o600);
    try {
      const mark = yield* fillIn(file, spot, content);
      const mine = yield* fstat(file);
      if (found !== undefined) yield* takeAfter(file, mine, found);
      if (content.mode !== undefined) yield* chmod(file, content.mode & 0o777);
      yield* fsync(file, mark.size > SYNC_BYTES ? undefined : mine.dev);
      return { name, mark, stat: yield* fstat(file) };
    } finally {
      yield* close(file);
    }
  } catch (thrown) {
    yield* steadily(discard(hand, spot, name));
    throw thrown;
  }
}

/** It must not stay; whether it could be made at all, or has its name by now, does not matter. */
export function* discard(hand: Hand, { parent, real }: Spot, name: Bytes): Steps<void> {
  try {
    yield* unlink(parent.mount, inFolder(parent, name));
  } catch {
    // Gone already.
  }
  hand.temps.done(folderOf(real), name);
}

function* fillIn(file: Descriptor, spot: Spot, { bytes, afterOld }: NewContent): Steps<ContentMark> {
  if (afterOld !== true && bytes.length <= CHUNK) {
    yield* put(file, bytes);
    return { sha256: hash("sha256", bytes, "hex"), size: bytes.length };
  }
  const sum = createHash("sha256");
  let size = 0;
  const add = function* (chunk: Uint8Array): Steps<void> {
    sum.update(chunk);
    size += chunk.length;
    yield* put(file, chunk);
  };
  if (afterOld === true) {
    yield* withEntry(spot, (entry) => withOpen(entry, constants.O_RDONLY, (old) => eachChunk(old, add)));
  }
  for (let at = 0; at < bytes.length; at += CHUNK) yield* add(bytes.subarray(at, at + CHUNK));
  return { sha256: sum.digest("hex"), size };
}

function* eachChunk(file: Descriptor, take: (chunk: Uint8Array) => Steps<void>): Steps<void> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  for (let at = 0; ;) {
    const count = yield* fill(file, chunk, at);
    if (count === 0) return;
    yield* take(chunk.subarray(0, count));
    at += count;
  }
}

/** Owner and mode of the file that is replaced; setuid and setgid are not for new content. */
function* takeAfter(file: Descriptor, mine: Stat, { uid, gid, mode }: Stat): Steps<void> {
  if (mine.uid !== uid || mine.gid !== gid) yield* chown(file, Number(uid), Number(gid));
  yield* chmod(file, Number(mode & 0o777n));
}
