import { chmod, chown, fstat, hasCode, setTime, type Descriptor, type Stat, type Work } from "../kernel/syscalls.js";
import { kindOf } from "../kernel/kind.js";

/** Gives a file or folder that was made the owner, mode and time of the one that it is a copy of. */
export function* copyAttributes(made: Descriptor, old: Stat, privileges: boolean): Work<void> {
  const { uid, gid, mode, mtimeNs } = old;
  const now = yield* fstat(made);
  const isOwned = (now.uid === uid && now.gid === gid) || (yield* maybe(chown(made, Number(uid), Number(gid))));
  // Of a file that now belongs to somebody else, setuid would hand out his rights.
  const isHarmless = kindOf(old) === "folder" || (privileges && isOwned);
  yield* chmod(made, Number(mode & (isHarmless ? 0o7777n : 0o1777n)));
  yield* setTime(made, mtimeNs);
}

/** Only root may give things away; a file system may know no owners. */
export function* maybe(work: Work<void>): Work<boolean> {
  try {
    yield* work;
    return true;
  } catch (thrown) {
    if (hasCode(thrown, "EPERM", "EINVAL", "ENOSYS", "ENOTSUP")) return false;
    throw thrown;
  }
}
