import { constants } from "node:fs";
import type { Bytes } from "@llmc/names";
import {
  chmod,
  chown,
  done,
  fstat,
  fsync,
  hasCode,
  inFolder,
  lstat,
  rename,
  setTime,
  truncate,
  unlink,
  type Descriptor,
  type Stat,
  type Work,
  maybe,
  placeNew,
  refuseRemoval,
  type Target,
  hashOf,
  withEntry,
  withOpen,
  syncFolder,
  type ContentMark,
} from "@llmc/te-path";
import { atPath, contentOf } from "./at-path.js";
import { pour, pourSparse, type Content } from "../store/held-content.js";
import { changed, Conflict, occupied } from "./conflict.js";
import { putInPlace } from "../replace/put-in-place.js";
import type { UndoContext } from "./undo-context.js";
import { factsOf, whoIs, type Anew, type Before, type UndoStep } from "../store/steps.js";

type Step<Did extends UndoStep["did"]> = Extract<UndoStep, { did: Did }>;
type FileSpot = Target & { readonly found: Stat };
/** What the file is given besides its content. */
type Facts = Omit<Before, keyof ContentMark>;

/** The folder takes no new file, or the file is a mount point. */
const NOT_BY_RENAME = ["EACCES", "EPERM", "EBUSY", "EROFS"];

/** The old content, mode, owner and time, all at once. */
export function* unwrite(work: UndoContext, { path, before, inPlace }: Step<"rewrote">): Work<void> {
  yield* atPath(work.scope, path, function* (target) {
    demandFile(target);
    const content = heldContent(work, path, before);
    // What was done in place is taken back in place: another file would be ours, and not its owner's.
    if (inPlace === true && target.found.nlink === 1n) return yield* overwrite(work, target, content, before);
    try {
      yield* exchange(work, target, { content, mark: before, facts: before });
    } catch (thrown) {
      if (!hasCode(thrown, ...NOT_BY_RENAME)) throw thrown;
      yield* overwrite(work, target, content, before);
    }
  });
}

/** A file that was made goes. */
export function* uncreate(work: UndoContext, { path }: Step<"created">): Work<void> {
  yield* atPath(work.scope, path, function* (target) {
    demandFile(target);
    refuseRemoval(work.scope, target);
    const before = yield* withEntry(target, (entry) => work.change.keep(entry, target.found, { at: target }));
    yield* demandSame(target);
    work.change.note({ did: "deleted", path, before });
    yield* unlink(target.parent.mount, inFolder(target.parent, target.name));
    yield* syncFolder(target.parent);
  });
}

/** A file that was removed is made again. */
export function* undelete(work: UndoContext, { path, before }: Step<"deleted">): Work<void> {
  const { sha256, size } = before;
  yield* atPath(work.scope, path, function* (target) {
    if (target.found !== undefined) throw occupied(path);
    yield* replaced(work, target, {
      content: heldContent(work, path, before),
      mark: before,
      facts: before,
      record: (anew) => done({ did: "created", path, after: { sha256, size }, ...anew }),
      place: (temp) => settle(target, temp),
    });
  });
}

/** What was added at the end goes. */
export function* unappend(work: UndoContext, { path, sizeBefore, after }: Step<"appended">): Work<void> {
  yield* atPath(work.scope, path, (target) => {
    demandFile(target);
    return withEntry(target, (entry) =>
      withOpen(entry, constants.O_RDWR, (file) => cut(work, target, { entry, file, sizeBefore, after })),
    );
  });
}

/** What was cut off is added again. */
export function* uncut(work: UndoContext, { path, tail, after, whole }: Step<"cut">): Work<void> {
  const content = heldContent(work, path, tail);
  yield* atPath(work.scope, path, (target) => {
    demandFile(target);
    return withEntry(target, (entry) =>
      withOpen(entry, constants.O_RDWR | constants.O_APPEND, function* (file) {
        work.change.note({ did: "appended", path, sizeBefore: after.size, after: whole });
        yield* pour(content, file);
        yield* fsync(file);
      }),
    );
  });
}

interface Cut {
  readonly entry: Descriptor;
  readonly file: Descriptor;
  readonly sizeBefore: number;
  readonly after: ContentMark;
}

function* cut(work: UndoContext, target: FileSpot, { entry, file, sizeBefore, after }: Cut): Work<void> {
  const stat = yield* fstat(file);
  if (stat.size > after.size) throw changed(target.real);
  const old = { sha256: (yield* hashOf(file, sizeBefore)).digest("hex"), size: sizeBefore };
  if (stat.nlink > 1n) {
    // It has got another name, whose content is not ours to change.
    const facts = { ...factsOf(stat), mtimeNs: undefined };
    return yield* exchange(work, target, { content: { file, at: 0, size: sizeBefore }, mark: old, facts });
  }
  // Less than all of it where the server was killed in the middle.
  const whole = Number(stat.size) === after.size ? after : yield* contentOf(file);
  const tail = yield* work.change.keepTail(entry, stat, sizeBefore);
  work.change.note({ did: "cut", path: target.real, tail, after: old, whole });
  yield* truncate(file, sizeBefore);
  yield* fsync(file);
}

interface Wanted {
  readonly content: Content;
  readonly mark: ContentMark;
  readonly facts: Omit<Facts, "mtimeNs"> & { readonly mtimeNs: string | undefined };
}

/** Another file under the same name. */
function* exchange(work: UndoContext, target: FileSpot, wanted: Wanted): Work<void> {
  const { parent, name, real: path } = target;
  const { sha256, size } = wanted.mark;
  yield* replaced(work, target, {
    ...wanted,
    *record(anew) {
      const before = yield* withEntry(target, (entry) => work.change.keep(entry, target.found, { at: target }));
      return { did: "rewrote", path, before, after: { sha256, size }, ...anew };
    },
    *place(temp) {
      yield* demandSame(target);
      yield* rename(parent.mount, inFolder(parent, temp), inFolder(parent, name));
    },
  });
}

/** Only where what is there now is safe, or was made a moment ago. */
function* overwrite(work: UndoContext, target: FileSpot, content: Content, before: Before): Work<void> {
  const { real, found } = target;
  if (found.nlink > 1n) throw new Conflict(real, "has other names by now, and its folder does not let it be replaced");
  yield* withEntry(target, (entry) =>
    withOpen(entry, constants.O_RDWR, function* (file) {
      const now = yield* work.change.keep(entry, found, { durable: true });
      if (!work.isRollBack && !work.change.isHeld)
        throw new Conflict(real, "cannot be replaced in its folder, and what it has now cannot be kept");
      const { sha256, size } = before;
      work.change.note({ did: "rewrote", path: real, before: now, after: { sha256, size } });
      yield* pour(content, file);
      yield* truncate(file, size);
      yield* give(work, real, file, before);
      yield* fsync(file);
    }),
  );
}

/** Identities of the old and the new file, if a new file was made. */
type Becoming = { readonly anew?: Anew };

interface Replacing extends Wanted {
  readonly record: (becoming: Becoming) => Work<UndoStep>;
  readonly place: (temp: Bytes) => Work<void>;
}

/** Makes a file with the wanted content and facts beside the target, and puts it in the target's place. */
function* replaced(work: UndoContext, target: Target, { record, place, ...wanted }: Replacing): Work<void> {
  yield* putInPlace(work.temps, target, {
    change: work.change,
    mode: 0o600,
    fill: (temp) => fillWith(work, target.real, wanted, temp),
    *record(becoming) {
      if (becoming.anew !== undefined) work.became(becoming.anew);
      return yield* record(becoming);
    },
    place,
  });
}

function* fillWith(work: UndoContext, path: Bytes, wanted: Wanted, temp: Descriptor): Work<Becoming> {
  const { sha256, size } = yield* poured(wanted, temp, path);
  // A program that had the old file open may have written to it since.
  if (sha256 !== wanted.mark.sha256 || size !== wanted.mark.size)
    throw new Conflict(path, "cannot get its old content back: what was kept of it was changed");
  yield* give(work, path, temp, wanted.facts);
  yield* fsync(temp);
  const { who } = wanted.facts;
  return who === undefined ? {} : { anew: [who, whoIs(yield* fstat(temp))] };
}

function* poured({ content, facts }: Wanted, file: Descriptor, path: Bytes): Work<ContentMark> {
  try {
    return yield* facts.isSparse === true ? pourSparse(content, file) : pour(content, file);
  } catch (thrown) {
    // Another process made room while we were at it.
    if (hasCode(thrown, "ENOENT"))
      throw new Conflict(path, "cannot get its old content back: the undo store no longer has it");
    throw thrown;
  }
}

/** Never over what somebody made there meanwhile. */
function* settle({ parent, name, real }: Target, temp: Bytes): Work<void> {
  try {
    yield* placeNew(parent.mount, inFolder(parent, temp), inFolder(parent, name), false);
  } catch (thrown) {
    if (hasCode(thrown, "EEXIST")) throw occupied(real);
    throw thrown;
  }
}

/** Owner, mode and time, where that is allowed. Without the owner there are no rights of setuid either. */
function* give(work: UndoContext, path: Bytes, file: Descriptor, wanted: Wanted["facts"]): Work<void> {
  const { uid, gid, mtimeNs } = wanted;
  const now = yield* fstat(file);
  const isOwned = Number(now.uid) === uid && Number(now.gid) === gid ? true : yield* maybe(chown(file, uid, gid));
  if (!isOwned) work.withoutOld(path, "owner");
  const mode = isOwned ? wanted.mode : wanted.mode & 0o777;
  const { mode: modeNow } = yield* fstat(file);
  if (Number(modeNow & 0o7777n) !== mode && !(yield* maybe(chmod(file, mode)))) work.withoutOld(path, "mode");
  if (mtimeNs !== undefined && !(yield* maybe(setTime(file, BigInt(mtimeNs))))) work.withoutOld(path, "time");
}

/** Between the look at it and now. */
function* demandSame({ parent, name, found, real }: FileSpot): Work<void> {
  const now = yield* lstat(parent.mount, inFolder(parent, name));
  const isSame =
    now?.dev === found.dev && now.ino === found.ino && now.size === found.size && now.mtimeNs === found.mtimeNs;
  if (!isSame) throw changed(real);
}

function demandFile(target: Target): asserts target is FileSpot {
  if (target.found === undefined) throw changed(target.real, "is gone");
}

function heldContent({ held }: UndoContext, path: Bytes, { sha256 }: ContentMark): Content {
  const content = held.contentOf(sha256);
  if (content === undefined) throw new Conflict(path, "cannot get its old content back: that was not kept");
  return content;
}
