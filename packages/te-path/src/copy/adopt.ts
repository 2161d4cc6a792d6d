import { chmod, chown, fstat, hasCode, setTime, type Descriptor, type Stat, type Steps } from "../kernel/syscalls.js";
import { kindOf } from "../kernel/kind.js";

/** Gives a file or folder that was made the owner, mode and time of the one that it is a copy of. */
export function* adopt(made: Descriptor, old: Stat, privileges: boolean): Steps<void> {
  const { uid, gid, mode, mtimeNs } = old;
  const now = yield* fstat(made);
  const isOwned = (now.uid === uid && now.gid === gid) || (yield* maybe(chown(made, Number(uid), Number(gid))));
  // Of a file that now belongs to somebody else, setuid would hand out his rights.
  const isHarmless = kindOf(old) === "folder" || (privileges && isOwned);
  yield* chmod(made, Number(mode & (isHarmless ? 0o7777n : 0o1777n)));
  yield* setTime(made, mtimeNs);
}

/** Only root may give things away; a file system may know no owners. */
export function* maybe(steps: Steps<void>): Steps<boolean> {
  try {
    yield* steps;
    return true;
  } catch (thrown) {
    if (hasCode(thrown, "EPERM", "EINVAL", "ENOSYS", "ENOTSUP")) return false;
    throw thrown;
  }
}
