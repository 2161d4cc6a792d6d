import { NotFoundError } from "@llmc/errors";
import { type Change, whoIs } from "@llmc/te-undo";
import {
  kindOf,
  hasCode,
  inFolder,
  lstat,
  rename,
  steadily,
  type Stat,
  type Work,
  placeNew,
  type Progress,
  type ExistingTarget,
} from "@llmc/te-path";
import type { Bytes } from "@llmc/names";
import { copyIntoStore, type StorePlace } from "./copy-into-store.js";
import type { Contents } from "./look-at-folder.js";

/**
 * Takes what is removed into the journal, where it can be had; how many entries went. Undefined: it cannot be kept,
 * and is still there.
 */
export function* keepRemoved(
  target: ExistingTarget,
  contents: Contents,
  change: Change,
  progress: Progress,
): Work<number | undefined> {
  const place = yield* change.placeFor(contents.bytes);
  if (place === null) return undefined;
  try {
    yield* renameAway(target, place, change);
    return contents.entries;
  } catch (thrown) {
    if (hasCode(thrown, "EXDEV")) return yield* copyIntoStore(target, place, contents, change, progress);
    // A folder is renamed only by whoever may write to it; removing an empty one asks for less.
    if (!hasCode(thrown, "EACCES")) throw thrown;
    change.giveUp("it could not be moved into the undo store");
    return undefined;
  }
}

/** Whatever its size: one step, and nobody ever sees half of it. */
function* renameAway(target: ExistingTarget, { kept, path }: StorePlace, change: Change): Work<void> {
  const { parent, name, found, real } = target;
  change.note({ did: "removed", path: real, kept, who: whoIs(found) });
  try {
    yield* rename(parent.mount, inFolder(parent, name), path);
    const taken = yield* steadily(lstat(parent.mount, path));
    if (taken !== undefined && (taken.dev !== found.dev || taken.ino !== found.ino))
      yield* steadily(putBack(target, path, taken));
  } catch (thrown) {
    change.strike();
    throw thrown;
  }
}

/** It was replaced after it had been looked at: nobody has judged what came with its name. */
function* putBack({ parent, name, shown }: ExistingTarget, path: Bytes, taken: Stat): Work<void> {
  yield* placeNew(parent.mount, path, inFolder(parent, name), kindOf(taken) === "folder");
  throw new NotFoundError(shown, "Something replaces it all the time: try again.");
}
