import type { Bytes } from "@llmc/names";
import { hasCode, link, lstat, rename, steadily, unlink, type Stat, type Work } from "../kernel/syscalls.js";

/** Not every file system has links; and not everybody may link to everything. */
const NO_LINKS = ["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];
const ATTEMPTS = 5;

/**
 * Renames without ever replacing anything: EEXIST is the kernel's answer for a file or link, which gets a second name
 * before it loses the first. Folders cannot have two names; there a look comes first, and nothing but an empty folder
 * that was made since could be replaced.
 */
export function* placeNew(mount: Bytes | null, from: Bytes, to: Bytes, isFolder: boolean): Work<void> {
  if (!isFolder && (yield* byLink(mount, from, to))) return;
  if ((yield* lstat(mount, to)) !== undefined) throw taken();
  yield* rename(mount, from, to);
}

/** False where that is not possible. */
function* byLink(mount: Bytes | null, from: Bytes, to: Bytes): Work<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = yield* lstat(mount, from);
    try {
      yield* link(mount, from, to);
    } catch (thrown) {
      if (hasCode(thrown, ...NO_LINKS)) return false;
      throw thrown;
    }
    if (yield* steadily(loseFirstName(mount, from, to, before))) return true;
  }
  return false;
}

/** False: the first name means another file by now, which must not be lost with it, and the second is free again. */
function* loseFirstName(mount: Bytes | null, from: Bytes, to: Bytes, before: Stat | undefined): Work<boolean> {
  const [old, now] = [yield* lstat(mount, from), yield* lstat(mount, to)];
  if (isSame(old, now)) yield* unlinkOr(mount, from, to);
  else if (old !== undefined && isSame(now, before)) yield* unlink(mount, to);
  // Else somebody has the second name already, as the next attempt is told: what is there is not ours to touch.
  return old === undefined || isSame(old, now);
}

/** Where the first name cannot be lost, the second one goes again. */
function* unlinkOr(mount: Bytes | null, from: Bytes, to: Bytes): Work<void> {
  try {
    yield* unlink(mount, from);
  } catch (thrown) {
    yield* unlink(mount, to);
    throw thrown;
  }
}

function isSame(a: Stat | undefined, b: Stat | undefined): boolean {
  return a !== undefined && a.dev === b?.dev && a.ino === b.ino;
}

function taken(): Error {
  return Object.assign(new Error("it is there"), { code: "EEXIST" });
}
