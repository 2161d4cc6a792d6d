import { constants } from "node:fs";
import type { Bytes } from "@llmc/names";
import {
  close,
  fill,
  fstat,
  fsync,
  hasCode,
  inFolder,
  open,
  put,
  truncate,
  unlink,
  waitFor,
  type Descriptor,
  type Work,
} from "../kernel/syscalls.js";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDWR, O_WRONLY } = constants;
const MAX_BYTES = 1024 * 1024;

/** Returns the new content, or undefined to leave the file as it is. */
export type ChangeContent = (content: Buffer) => Promise<Uint8Array | undefined>;

/**
 * Rewrites the config of a repository under git's own lock. Writes in place, because a rename would take the covers of
 * running sandboxes off the file. Returns false without writing if git holds the lock, the file has another identity,
 * or `change` leaves the file as it is.
 */
export function* rewriteConfig(git: Descriptor, identity: string, change: ChangeContent): Work<boolean> {
  const lock = inFolder(git, "config.lock");
  const held = yield* opened(git, lock, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, ["EEXIST", "ELOOP"]);
  if (held === undefined) return false;
  try {
    yield* close(held);
    const file = yield* opened(git, inFolder(git, "config"), O_RDWR | O_NOFOLLOW | O_NONBLOCK, [
      "ELOOP",
      "ENXIO",
      "EISDIR",
    ]);
    if (file === undefined) return false;
    try {
      return yield* rewrite(file, identity, change);
    } finally {
      yield* close(file);
    }
  } finally {
    yield* removed(git.mount, lock);
  }
}

function* rewrite(file: Descriptor, identity: string, change: ChangeContent): Work<boolean> {
  const { dev, ino, mode, nlink, size } = yield* fstat(file);
  const isRegular = (Number(mode) & constants.S_IFMT) === constants.S_IFREG;
  // Refuses a file with hard links, because a write would change the file at its other names too.
  if (!isRegular || Number(nlink) !== 1 || `${dev}:${ino}` !== identity || Number(size) > MAX_BYTES) return false;
  const content = Buffer.alloc(Number(size));
  const length = yield* fill(file, content, 0);
  const changed = yield* waitFor(() => change(content.subarray(0, length)));
  if (changed === undefined) return false;
  yield* put(file, changed, 0);
  if (changed.length < length) yield* truncate(file, changed.length);
  yield* fsync(file);
  return true;
}

function* opened(
  folder: Descriptor,
  path: Bytes,
  flags: number,
  tolerated: readonly string[],
): Work<Descriptor | undefined> {
  try {
    return yield* open(folder.mount, path, flags);
  } catch (thrown) {
    if (hasCode(thrown, "ENOENT", "EACCES", "EPERM", "EROFS", ...tolerated)) return undefined;
    throw thrown;
  }
}

/** Removes the lock, unless a command that may write to the folder has removed or replaced it. */
function* removed(mount: Bytes | null, path: Bytes): Work<void> {
  try {
    yield* unlink(mount, path);
  } catch (thrown) {
    if (!hasCode(thrown, "ENOENT", "EISDIR", "EPERM")) throw thrown;
  }
}
