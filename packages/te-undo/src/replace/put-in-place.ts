import { folderOf, type Bytes } from "@llmc/names";
import {
  close,
  inFolder,
  open,
  steadily,
  syncFolder,
  unlink,
  type Descriptor,
  type Target,
  type Work,
} from "@llmc/te-path";
import { constants } from "node:fs";
import type { Change } from "../store/change.js";
import type { UndoStep } from "../store/steps.js";
import type { Temps } from "../temps/temps.js";

/** Parts of `putInPlace` that differ between its callers. */
export interface Placement<Made> {
  readonly change: Change;
  /** Permission bits of the temp file while it is filled. */
  readonly mode: number;
  /** Writes content and attributes to the temp file, and syncs it. */
  readonly fill: (temp: Descriptor) => Work<Made>;
  /** Keeps the old content, and returns the step to record. */
  readonly record: (made: Made) => Work<UndoStep>;
  /** Checks the target a last time and gives its name to the temp file, by rename if a file is replaced. */
  readonly place: (temp: Bytes) => Work<void>;
}

const MAKE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Replaces content atomically, for writes and for undo: temp → record → rename → sync. */
export function* putInPlace<Made>(temps: Temps, target: Target, placement: Placement<Made>): Work<Made> {
  const { parent, parentId, real, found } = target;
  const { change, record, place } = placement;
  const temp = temps.name(folderOf(real));
  let isRenamed = false;
  let made: Made;
  try {
    made = yield* makeTemp(parent, temp, placement);
    change.note(yield* record(made));
    yield* struckIfNot(change, place(temp));
    isRenamed = found !== undefined;
  } finally {
    if (!isRenamed) yield* steadily(discard(parent, temp));
    temps.done(folderOf(real), temp);
  }
  yield* steadily(syncFolder(parent, parentId));
  return made;
}

/** A step that was written down and then could not be made. */
export function* struckIfNot(change: Change, step: Work<void>): Work<void> {
  try {
    yield* step;
  } catch (thrown) {
    change.strike();
    throw thrown;
  }
}

function* makeTemp<Made>(parent: Descriptor, temp: Bytes, { mode, fill }: Placement<Made>): Work<Made> {
  const file = yield* open(parent.mount, inFolder(parent, temp), MAKE, mode);
  try {
    return yield* fill(file);
  } finally {
    yield* close(file);
  }
}

/** Removes the temp file, which may be gone already or never have been made. */
function* discard(parent: Descriptor, temp: Bytes): Work<void> {
  try {
    yield* unlink(parent.mount, inFolder(parent, temp));
  } catch {
    // Gone already.
  }
}
