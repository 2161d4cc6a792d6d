import { type Change, whoIs } from "@llmc/te-undo";
import {
  kindOf,
  fstat,
  hasCode,
  inFolder,
  rename,
  unlink,
  type Work,
  type Target,
  type ExistingTarget,
  placeNew,
} from "@llmc/te-path";

/**
 * Whether both lie on one file system, as far as one can see: bind mounts of the same one show only in the rename. What
 * is replaced need not be kept for one that comes in vain.
 */
export function* mayRename(from: Target, to: Target): Work<boolean> {
  return (yield* fstat(from.parent)).dev === (yield* fstat(to.parent)).dev;
}

/** Gives the source its new name; what is there must be kept by now. False: only a copy gets there. */
export function* renameTo(from: ExistingTarget, to: Target, change: Change): Work<boolean> {
  const [source, target] = [inFolder(from.parent, from.name), inFolder(to.parent, to.name)];
  const mount = from.parent.mount ?? to.parent.mount;
  change.note({ did: "moved", from: from.real, to: to.real, who: whoIs(from.found) });
  try {
    if (to.found === undefined) yield* placeNew(mount, source, target, kindOf(from.found) === "folder");
    // For two names of one file a rename does nothing.
    else if (isSameFile(from, to)) yield* unlink(mount, source);
    else yield* rename(mount, source, target);
    return true;
  } catch (thrown) {
    change.strike();
    if (hasCode(thrown, "EXDEV")) return false;
    throw thrown;
  }
}

function isSameFile({ found }: ExistingTarget, { found: other }: Target): boolean {
  return found.dev === other?.dev && found.ino === other.ino;
}
