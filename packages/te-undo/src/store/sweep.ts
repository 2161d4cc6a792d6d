import { OpsError } from "@llmc/errors";
import {
  close,
  hasCode,
  open,
  readdir,
  type Descriptor,
  type Steps,
  FOLDER,
  removeTree,
  walkBelow,
  inFolder,
} from "@llmc/te-path";
import type { Bytes } from "@llmc/names";
import { adoptBegun, type AdoptOptions } from "./adopt.js";
import { timeOf } from "./entry-id.js";
import { makeWritable } from "./make-writable.js";
import type { Group, Shelf } from "./shelf.js";

/** What nobody names is left alone for so long. */
const ORPHAN_MS = 60 * 60 * 1000;

/** Lets go of what is too old or too much, and of what killed processes left; takes care of what they had begun. */
export function* sweep(options: AdoptOptions): Steps<void> {
  const { shelf, open: own, now } = options;
  for (const group of yield* shelf.look()) {
    if (own.has(group.id)) continue;
    if (group.log === "open") yield* settle(options, group);
    else if (group.log === undefined ? timeOf(group.id) + ORPHAN_MS < now() : shelf.isExpired(group.id))
      yield* shelf.remove(group);
  }
  yield* shelf.makeRoom(0);
  if (shelf.hasTrash) yield* empty(shelf);
  if (shelf.isFull) yield* makeWay(options);
}

/** What is held is in the way of what cannot be written: the oldest goes first, until something of the disk is free. */
function* makeWay({ shelf, open: own }: AdoptOptions): Steps<void> {
  for (const group of yield* shelf.look()) {
    if ((group.log !== "done" && group.log !== "undone") || own.has(group.id)) continue;
    if (yield* shelf.hasFree(0)) return;
    yield* shelf.remove(group);
    yield* empty(shelf);
  }
}

/** The change of a process that was killed: what it had written down can be taken back. */
function* settle(options: AdoptOptions, group: Group): Steps<void> {
  const begun = yield* adoptBegun(options, group.id);
  const isOld = timeOf(group.id) + ORPHAN_MS < options.now();
  if (begun === "nothing" || (begun === "unreadable" && isOld)) yield* options.shelf.remove(group);
}

function* empty(shelf: Shelf): Steps<void> {
  let names: readonly Bytes[];
  let trash: Descriptor;
  try {
    trash = yield* open(null, shelf.trash, FOLDER);
  } catch (thrown) {
    if (hasCode(thrown, "ENOENT")) return;
    throw thrown;
  }
  shelf.hasTrash = false;
  try {
    names = yield* readdir(null, inFolder(trash, "."));
    for (const name of names) if (!(yield* isRemoved(trash, name))) shelf.hasTrash = true;
  } finally {
    yield* close(trash);
  }
}

/** What cannot be removed now (it is immutable, it belongs to somebody else) is tried again at the next sweep. */
function* isRemoved(trash: Descriptor, name: Bytes): Steps<boolean> {
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
function* openUp(trash: Descriptor, name: Bytes): Steps<void> {
  yield* makeWritable(inFolder(trash, name));
  const top = yield* open(null, inFolder(trash, name), FOLDER);
  try {
    const enter = ({ parent, name: below }: { parent: Descriptor; name: Bytes }) =>
      makeWritable(inFolder(parent, below)) as Steps<unknown> as Steps<void>;
    yield* walkBelow(top, { *leaf() {}, enter }, { shown: name });
  } finally {
    yield* close(top);
  }
}
