import type { Temps } from "../temps/temps.js";
import { constants } from "node:fs";
import { PermissionDeniedError, WriteFailedError } from "@llmc/errors";
import {
  syncFolder,
  type ContentMark,
  FDS,
  fstat,
  fsync,
  hasCode,
  inFolder,
  link,
  lstat,
  put,
  readlink,
  rename,
  steadily,
  truncate,
  unlink,
  type Descriptor,
  type Stat,
  type Steps,
  type Spot,
  sha256OfBytes,
  withEntry,
  withOpen,
  hasFile,
  type FileSpot,
} from "@llmc/te-path";
import { folderOf, type Bytes, join } from "@llmc/names";
import type { Change } from "../store/journal.js";
import { ChangedMeanwhileError } from "./persist.js";
import { discard, writeTemp, type NewContent } from "./temp-file.js";

export interface Replaced {
  readonly mark: ContentMark;
  readonly stat: Stat;
  readonly created: boolean;
  /** False: the folder did not take a new file, so the bytes were written into the old one. */
  readonly atomic: boolean;
  /** The file had other names; they keep the old content. */
  readonly linkBroken: boolean;
}

/** A folder that does not let us replace a file in it; a file that is a mount point; an owner that only root can keep. */
const NOT_BY_RENAME = ["EACCES", "EPERM", "EBUSY"];

/** The whole content at once: whoever looks sees the old file or the new one, and so does the disk after a crash. */
export function* replaceFile(temps: Temps, spot: Spot, content: NewContent, change: Change): Steps<Replaced> {
  if (!hasFile(spot)) return yield* create(temps, spot, content, change);
  try {
    const { mark, stat } = yield* exchange(temps, spot, content, change);
    return { mark, stat, created: false, atomic: true, linkBroken: spot.found.nlink > 1n };
  } catch (thrown) {
    if (!hasCode(thrown, ...NOT_BY_RENAME)) throw thrown;
    return yield* overwrite(spot, content, change, thrown);
  }
}

function* create(temps: Temps, spot: Spot, content: NewContent, change: Change): Steps<Replaced> {
  const temp = yield* writeTemp(temps, spot, content);
  try {
    change.note({ did: "created", path: spot.real, after: temp.mark });
    yield* struckIfNot(change, settleWhere(spot, temp.name));
  } finally {
    yield* steadily(discard(temps, spot, temp.name));
  }
  yield* steadily(syncFolder(spot.parent, spot.parentId));
  return { mark: temp.mark, stat: temp.stat, created: true, atomic: true, linkBroken: false };
}

/** What comes to lie in a folder that was moved meanwhile goes again: nobody judged that place. */
function* settleWhere(spot: Spot, temp: Bytes): Steps<void> {
  yield* demandSamePlace(spot);
  yield* settleNew(spot, temp);
  try {
    yield* steadily(demandSamePlace(spot));
  } catch (thrown) {
    yield* steadily(unlink(spot.parent.mount, inFolder(spot.parent, spot.name)));
    throw thrown;
  }
}

/** Writing takes its time: another call may have moved or removed the folder that is held. */
function* demandSamePlace({ parent, name, real, shown }: Spot): Steps<void> {
  const folder = yield* readlink(parent.mount, `${FDS}/${parent.fd}`);
  if (join(folder, name) !== real)
    throw new WriteFailedError(shown, "its folder was moved or removed meanwhile", { hint: "Look where it is now." });
}

/** A second name for the temporary file: unlike a rename it never replaces what somebody made there meanwhile. */
function* settleNew({ parent, name }: Spot, temp: Bytes): Steps<void> {
  try {
    yield* link(parent.mount, inFolder(parent, temp), inFolder(parent, name));
  } catch (thrown) {
    // Not every file system has hard links.
    if (!hasCode(thrown, "EPERM", "ENOTSUP", "ENOSYS", "EMLINK", "EOPNOTSUPP")) throw thrown;
    if ((yield* lstat(parent.mount, inFolder(parent, name))) !== undefined)
      throw Object.assign(new Error("made meanwhile"), { code: "EEXIST" });
    yield* rename(parent.mount, inFolder(parent, temp), inFolder(parent, name));
  }
}

function* exchange(
  temps: Temps,
  spot: FileSpot,
  content: NewContent,
  change: Change,
): Steps<{ readonly mark: ContentMark; readonly stat: Stat }> {
  const { parent, parentId, real } = spot;
  const { before: old } = content;
  const isWanted = old !== undefined && change.wants(old.length);
  const temp = yield* writeTemp(temps, spot, content, isWanted ? old : undefined);
  let isThere = false;
  try {
    yield* demandSamePlace(spot);
    const before = yield* withEntry(spot, (entry) => change.keep(entry, spot.found, { at: spot, known: temp.before }));
    change.note({ did: "rewrote", path: real, before, after: temp.mark });
    yield* struckIfNot(change, renameOver(spot, temp.name));
    isThere = true;
  } finally {
    if (isThere) temps.done(folderOf(real), temp.name);
    else yield* steadily(discard(temps, spot, temp.name));
  }
  yield* steadily(syncFolder(parent, parentId));
  return temp;
}

/** Our locks hold servers with one data folder apart; for all others the last look is as late as it can be. */
function* renameOver({ parent, name, shown, found }: FileSpot, temp: Bytes): Steps<void> {
  const now = yield* lstat(parent.mount, inFolder(parent, name));
  if (now !== undefined && !sameContent(now, found)) throw new ChangedMeanwhileError(shown);
  yield* rename(parent.mount, inFolder(parent, temp), inFolder(parent, name));
}

/** The time of the last change of the inode does not count: the journal may have given it a second name. */
function sameContent(now: Stat, then: Stat): boolean {
  return now.dev === then.dev && now.ino === then.ino && now.size === then.size && now.mtimeNs === then.mtimeNs;
}

/** Only when the old content is safe: a crash in the middle would leave half of each. */
function* overwrite(
  spot: FileSpot,
  { bytes, mode, afterOld }: NewContent,
  change: Change,
  problem: unknown,
): Steps<Replaced> {
  const refuse = (why: string): never => {
    const hint = `Its folder does not let it be replaced, and ${why}.`;
    throw new PermissionDeniedError(spot.shown, { hint, cause: problem });
  };
  if (spot.found.nlink > 1n) refuse("it has other names, whose content would change with it");
  if (mode !== undefined || afterOld === true) refuse("this change needs that");
  yield* demandSamePlace(spot);
  const mark = { sha256: sha256OfBytes(bytes), size: bytes.length };
  return yield* withEntry(spot, (entry) =>
    withOpen(entry, constants.O_WRONLY, function* (file) {
      const before = yield* change.keep(entry, spot.found, { durable: true });
      if (!change.isHeld) refuse("its old content cannot be kept for undo first");
      change.note({ did: "rewrote", path: spot.real, before, after: mark });
      yield* steadily(fillAnew(file, bytes));
      return { mark, stat: yield* fstat(file), created: false, atomic: false, linkBroken: false };
    }),
  );
}

function* fillAnew(file: Descriptor, bytes: Uint8Array): Steps<void> {
  yield* put(file, bytes, 0);
  yield* truncate(file, bytes.length);
  yield* fsync(file);
}

/** A step that was written down and then could not be made. */
export function* struckIfNot(change: Change, step: Steps<void>): Steps<void> {
  try {
    yield* step;
  } catch (thrown) {
    change.strike();
    throw thrown;
  }
}
