import { OpsError } from "@llmc/errors";
import { folderOf, type Bytes, namesOf } from "@llmc/names";
import {
  fromChangeErrno,
  close,
  open,
  type Work,
  copyTree,
  type Name,
  FOLDER,
  type Progress,
  type ExistingTarget,
} from "@llmc/te-path";
import { type Change, whoIs } from "@llmc/te-undo";
import type { Contents } from "./look-at-folder.js";
import { removeForGood } from "./remove-for-good.js";

export interface StorePlace {
  /** What the journal calls it. */
  readonly kept: string;
  readonly path: Bytes;
}

/**
 * From another file system than the journal's: a whole copy first, then what is removed goes. How much did, or
 * undefined where no copy can be made; then nothing has changed.
 */
export function* copyIntoStore(
  target: ExistingTarget,
  place: StorePlace,
  contents: Contents,
  change: Change,
  progress: Progress,
): Work<number | undefined> {
  if (contents.special !== undefined) {
    change.giveUp(`it is or holds a ${contents.special.kind}, which cannot be copied`);
    return undefined;
  }
  if (!(yield* makeCopy(target, place, change, progress))) return undefined;
  change.note({ did: "removed", path: target.real, kept: place.kept, who: whoIs(target.found) });
  return yield* removeForGood(target, contents, change, progress);
}

function* makeCopy(target: ExistingTarget, { path }: StorePlace, change: Change, progress: Progress): Work<boolean> {
  const folder = yield* open(null, folderOf(path), FOLDER);
  try {
    const to: Name = { folder, name: namesOf(path).at(-1) ?? "" };
    const from: Name = { folder: target.parent, name: target.name };
    // It stays as shut in the journal as it was.
    const options = {
      entry: target.entry,
      shown: target.shown,
      durable: true,
      privileges: true,
      progress,
      judge: nothing,
    };
    yield* copyTree(from, to, options);
    return true;
  } catch (thrown) {
    // After a cancel, or on a mount that is dead, the next step ends as well.
    change.giveUp(`its copy failed: ${OpsError.from(fromChangeErrno(thrown, target.shown)).message}`);
    return false;
  } finally {
    yield* close(folder);
  }
}

function* nothing(): Work<void> {}
