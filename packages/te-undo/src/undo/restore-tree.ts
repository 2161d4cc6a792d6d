import { constants } from "node:fs";
import { folderOf, type Bytes } from "@llmc/names";
import {
  kindOf,
  close,
  hasCode,
  inFolder,
  lstat,
  open,
  rename,
  unlink,
  type Stat,
  type Work,
  copyTree,
  type Name,
  placeNew,
  refuseRemoval,
  FOLDER,
  type Target,
  removeTree,
  Progress,
  roomOf,
  survey,
  withEntry,
  syncFolder,
} from "@llmc/te-path";
import { atPath } from "./at-path.js";
import { changed, occupied } from "./conflict.js";
import { asWritable } from "../store/make-writable.js";
import { refuseMovedBack } from "./refuse-moved-back.js";
import type { UndoContext } from "./undo-context.js";
import { whoIs, type UndoStep } from "../store/steps.js";

type Step<Did extends UndoStep["did"]> = Extract<UndoStep, { did: Did }>;
type ExistingTarget = Target & { readonly found: Stat };

/** Back to where it came from. */
export function* unmove(work: UndoContext, { from, to }: Step<"moved">): Work<void> {
  yield* atPath(work.scope, to, (source) =>
    atPath(work.scope, from, function* (target) {
      demandExisting(source);
      if (target.found !== undefined && !isOne(source.found, target.found)) throw occupied(from);
      // What was put there a moment ago goes back, whatever it would be if it stayed.
      if (!work.isRollBack) refuseRemoval(work.scope, source);
      if (!work.isRollBack) yield* refuseMovedBack(work.scope, source, from);
      const note = (found: Stat) => work.change.note({ did: "moved", from: to, to: from, who: whoIs(found) });
      const there = { folder: source.parent, name: source.name };
      if (target.found !== undefined) return yield* loseSecondName(source, () => note(source.found));
      const isCopy = yield* place(work, there, target, { note, found: source.found });
      if (isCopy) yield* removeTree(source, { shown: source.shown });
      yield* syncFolder(source.parent);
    }),
  );
}

/** It has the old name already. */
function* loseSecondName({ parent, name }: Target, note: () => void): Work<void> {
  note();
  yield* unlink(parent.mount, inFolder(parent, name));
  yield* syncFolder(parent);
}

function isOne(a: Stat, b: Stat): boolean {
  return kindOf(a) !== "folder" && a.dev === b.dev && a.ino === b.ino;
}

/** What was copied, or came back from the journal, goes: into the journal where that holds it. */
export function* uncopy(work: UndoContext, step: Step<"copied"> | Step<"restored">): Work<void> {
  yield* atPath(work.scope, step.to, function* (target) {
    demandExisting(target);
    if (!work.isRollBack) refuseRemoval(work.scope, target);
    if (step.did === "restored" && work.isRollBack) yield* returnToStore(target, step.origin);
    else yield* intoStore(work, target);
    yield* syncFolder(target.parent);
  });
}

/** What was removed comes back from the journal. */
export function* unremove(work: UndoContext, { path, kept }: Step<"removed">): Work<void> {
  const origin = work.held.keptAt(kept);
  const changes = yield* open(null, folderOf(origin), FOLDER);
  try {
    yield* atPath(work.scope, path, function* (target) {
      const name = origin.slice(origin.lastIndexOf("/") + 1);
      const found = yield* lstat(null, inFolder(changes, name));
      if (found === undefined) throw changed(path, "is no longer in the undo store");
      const note = (now: Stat) => work.change.note({ did: "restored", to: path, who: whoIs(now), origin });
      const from = { folder: changes, name };
      const [old, now] = [inFolder(changes, name), inFolder(target.parent, target.name)];
      yield* withoutRemainder(work, target, () =>
        asWritable(old, now, function* () {
          yield* place(work, from, target, { note, found });
        }),
      );
    });
  } finally {
    yield* close(changes);
  }
}

interface Placing {
  /** Writes down that this is about to be at the spot. */
  readonly note: (found: Stat) => void;
  readonly found: Stat;
}

/** By a rename, or as a copy where that cannot be: then the source is still there. */
function* place(work: UndoContext, from: Name, to: Target, { note, found }: Placing): Work<boolean> {
  const source = inFolder(from.folder, from.name);
  const target = inFolder(to.parent, to.name);
  note(found);
  try {
    yield* renameTo(to, source, target, found);
    yield* syncFolder(to.parent);
    return false;
  } catch (thrown) {
    work.change.strike();
    if (!hasCode(thrown, "EXDEV")) throw thrown;
  }
  yield* placeCopy(work, from, to, { note, found });
  yield* syncFolder(to.parent);
  return true;
}

function* placeCopy(work: UndoContext, from: Name, to: Target, { note, found }: Placing): Work<void> {
  const { parent, real, shown } = to;
  const name = work.temps.name(folderOf(real));
  const temp = inFolder(parent, name);
  try {
    yield* copy(from, { folder: parent, name }, shown);
    const copied = yield* lstat(parent.mount, temp);
    note(copied ?? found);
    yield* renameTo(to, temp, inFolder(parent, to.name), copied ?? found);
  } finally {
    yield* removeTree({ parent, name }, { shown });
    work.temps.done(folderOf(real), name);
  }
}

/** Never over what somebody made there meanwhile. */
function* renameTo({ parent, real }: Target, from: Bytes, to: Bytes, found: Stat): Work<void> {
  const isFolder = kindOf(found) === "folder";
  try {
    yield* placeNew(parent.mount, from, to, isFolder);
  } catch (thrown) {
    if (hasCode(thrown, "EEXIST", "ENOTEMPTY")) throw occupied(real);
    throw thrown;
  }
}

/** What is left of a tree that was being removed when the server was killed makes way for all of it. */
function* withoutRemainder(work: UndoContext, target: Target, put: () => Work<void>): Work<void> {
  if (target.found === undefined) return yield* put();
  const { parent, name, real } = target;
  const aside = work.temps.name(folderOf(real));
  yield* rename(parent.mount, inFolder(parent, name), inFolder(parent, aside));
  try {
    yield* put();
  } catch (thrown) {
    yield* rename(parent.mount, inFolder(parent, aside), inFolder(parent, name));
    work.temps.done(folderOf(real), aside);
    throw thrown;
  }
  yield* removeTree({ parent, name: aside }, { shown: target.shown });
  work.temps.done(folderOf(real), aside);
}

/** Rolled back: the change that holds it must find it again. */
function* returnToStore(target: ExistingTarget, origin: Bytes): Work<void> {
  const { parent, name } = target;
  // A copy left the original where it was.
  if ((yield* lstat(null, origin)) !== undefined) return yield* removeTree(target, { shown: target.shown });
  yield* rename(parent.mount, inFolder(parent, name), origin);
}

function* intoStore(work: UndoContext, target: ExistingTarget): Work<void> {
  const { parent, name, found, real } = target;
  const room = work.isRollBack ? null : yield* work.change.placeFor(yield* roomBelow(target));
  if (room === null) {
    work.lost(real);
    return yield* removeTree(target, { shown: target.shown });
  }
  const note = () => work.change.note({ did: "removed", path: real, kept: room.kept, who: whoIs(found) });
  note();
  try {
    return yield* rename(parent.mount, inFolder(parent, name), room.path);
  } catch (thrown) {
    work.change.strike();
    if (!hasCode(thrown, "EXDEV")) throw thrown;
  }
  const changes = yield* open(null, folderOf(room.path), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const to = { folder: changes, name: room.path.slice(room.path.lastIndexOf("/") + 1) };
    yield* copy({ folder: parent, name }, to, target.shown);
  } finally {
    yield* close(changes);
  }
  note();
  yield* removeTree(target, { shown: target.shown });
}

function* roomBelow(target: ExistingTarget): Work<number> {
  if (kindOf(target.found) !== "folder") return roomOf(target.found);
  const progress = new Progress(undefined);
  const { bytes } = yield* withEntry(target, (entry) => survey(entry, { shown: target.shown, progress }));
  return bytes + roomOf(target.found);
}

/** All of it, with rights and all: it is the same thing that moves on. */
function* copy(from: Name, to: Name, shown: string): Work<void> {
  const progress = new Progress(undefined);
  yield* copyTree(from, to, { shown, durable: true, privileges: true, progress, *judge() {} });
}

function demandExisting(target: Target): asserts target is ExistingTarget {
  if (target.found === undefined) throw changed(target.real, "is gone");
}
