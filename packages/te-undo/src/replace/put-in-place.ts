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
import type { UndoStep } from "../store/undo-step.js";
import type { Temps } from "../temps/temps.js";

/** How new content comes to lie at a target. */
export interface Placement<Made> {
  readonly change: Change;
  /** Permission bits of the temp file while it is filled. */
  readonly mode: number;
  /** Writes content and attributes to the temp file, and syncs it. */
  readonly fill: (temp: Descriptor) => Work<Made>;
  /** The step that undoes this, with the old content kept. */
  readonly record: (made: Made) => Work<UndoStep>;
  /** Looks at the target for the last time and gives it to the temp file: by rename where a file is replaced. */
  readonly place: (temp: Bytes) => Work<void>;
}

const MAKE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Temp → record → rename → sync: the one way by which a file gets new content at once, and gets it back in an undo. */
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

/** It must not stay; whether it could be made at all, or has lost its name, does not matter. */
function* discard(parent: Descriptor, temp: Bytes): Work<void> {
  try {
    yield* unlink(parent.mount, inFolder(parent, temp));
  } catch {
    // Gone already.
  }
}
