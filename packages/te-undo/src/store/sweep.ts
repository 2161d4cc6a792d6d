import { OpsError } from "@llmc/errors";
import {
  close,
  hasCode,
  open,
  readdir,
  type Descriptor,
  type Work,
  FOLDER,
  removeTree,
  walkBelow,
  inFolder,
} from "@llmc/te-path";
import type { Bytes } from "@llmc/names";
import { recoverBegun, type RecoverOptions } from "./recover.js";
import { timeOf } from "./entry-id.js";
import { makeWritable } from "./make-writable.js";
import type { Group, UndoStore } from "./undo-store.js";

/** What nobody names is left alone for so long. */
const ORPHAN_MS = 60 * 60 * 1000;

/** Lets go of what is too old or too much, and of what killed processes left; takes care of what they had begun. */
export function* sweep(options: RecoverOptions): Work<void> {
  const { store, open: own, now } = options;
  for (const group of yield* store.look()) {
    if (own.has(group.id)) continue;
    if (group.log === "open") yield* settle(options, group);
    else if (group.log === undefined ? timeOf(group.id) + ORPHAN_MS < now() : store.isExpired(group.id))
      yield* store.remove(group);
  }
  yield* store.makeRoom(0);
  if (store.hasTrash) yield* empty(store);
  if (store.isFull) yield* makeWay(options);
}

/** What is held is in the way of what cannot be written: the oldest goes first, until something of the disk is free. */
function* makeWay({ store, open: own }: RecoverOptions): Work<void> {
  for (const group of yield* store.look()) {
    if ((group.log !== "done" && group.log !== "undone") || own.has(group.id)) continue;
    if (yield* store.hasFree(0)) return;
    yield* store.remove(group);
    yield* empty(store);
  }
}

/** The change of a process that was killed: what it had written down can be taken back. */
function* settle(options: RecoverOptions, group: Group): Work<void> {
  const begun = yield* recoverBegun(options, group.id);
  const isOld = timeOf(group.id) + ORPHAN_MS < options.now();
  if (begun === "nothing" || (begun === "unreadable" && isOld)) yield* options.store.remove(group);
}

function* empty(store: UndoStore): Work<void> {
  let names: readonly Bytes[];
  let trash: Descriptor;
  try {
    trash = yield* open(null, store.trash, FOLDER);
  } catch (thrown) {
    if (hasCode(thrown, "ENOENT")) return;
    throw thrown;
  }
  store.hasTrash = false;
  try {
    names = yield* readdir(null, inFolder(trash, "."));
    for (const name of names) if (!(yield* isRemoved(trash, name))) store.hasTrash = true;
  } finally {
    yield* close(trash);
  }
}

/** What cannot be removed now (it is immutable, it belongs to somebody else) is tried again at the next sweep. */
function* isRemoved(trash: Descriptor, name: Bytes): Work<boolean> {
  for (const attempt of ["as it is", "opened up"]) {
    try {
      if (attempt === "opened up") yield* openUp(trash, name);
      yield* removeTree({ parent: trash, name }, { shown: name });
      return true;
    } catch (thrown) {
      if (OpsError.is(thrown) && thrown.code === "CANCELLED") throw thrown;
    }
  }
  return false;
}

/** Folders that nobody may write to cannot be emptied. */
function* openUp(trash: Descriptor, name: Bytes): Work<void> {
  yield* makeWritable(inFolder(trash, name));
  const top = yield* open(null, inFolder(trash, name), FOLDER);
  try {
    const enter = ({ parent, name: below }: { parent: Descriptor; name: Bytes }) =>
      makeWritable(inFolder(parent, below)) as Work<unknown> as Work<void>;
    yield* walkBelow(top, { *leaf() {}, enter }, { shown: name });
  } finally {
    yield* close(top);
  }
}
