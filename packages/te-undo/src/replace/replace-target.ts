import { constants } from "node:fs";
import { PermissionDeniedError, WriteFailedError } from "@llmc/errors";
import {
  done,
  type ContentMark,
  PROC_FD,
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
  type Work,
  type Target,
  sha256OfBytes,
  withEntry,
  withOpen,
  hasFile,
  type FileTarget,
} from "@llmc/te-path";
import { type Bytes, join } from "@llmc/names";
import type { Change } from "../store/change.js";
import type { UndoStep } from "../store/steps.js";
import type { Temps } from "../temps/temps.js";
import { grow } from "./grow.js";
import { ChangedMeanwhileError } from "./persist.js";
import { putInPlace } from "./put-in-place.js";
import { type Filled, fillTemp, modeFor, type NewContent } from "./temp-file.js";

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

/**
 * Replaces the content of a locked target, atomically unless the folder refuses a rename. So any program, also after a
 * crash, finds the old file or the new one. A file that grows keeps its inode unless it has hard links, which keep the
 * old content.
 */
export function* replaceTarget(temps: Temps, target: Target, content: NewContent, change: Change): Work<Replaced> {
  if (!hasFile(target)) return yield* create(temps, target, content, change);
  const hasLinks = target.found.nlink > 1n;
  if (content.afterOld !== undefined && !hasLinks) {
    const grown = yield* grow(content.afterOld, target, content.bytes, change);
    return { ...grown, created: false, atomic: true, linkBroken: false };
  }
  try {
    const { mark, stat } = yield* exchange(temps, target, content, change);
    return { mark, stat, created: false, atomic: true, linkBroken: hasLinks };
  } catch (thrown) {
    if (!hasCode(thrown, ...NOT_BY_RENAME)) throw thrown;
    return yield* overwrite(target, content, change, thrown);
  }
}

function* create(temps: Temps, target: Target, content: NewContent, change: Change): Work<Replaced> {
  const { mark, stat } = yield* putInPlace(temps, target, {
    change,
    mode: modeFor(undefined),
    fill: (temp) => fillTemp(temp, target, content, undefined),
    record: (made) => done({ did: "created", path: target.real, after: made.mark }),
    place: (temp) => settleWhere(target, temp),
  });
  return { mark, stat, created: true, atomic: true, linkBroken: false };
}

/** What comes to lie in a folder that was moved meanwhile goes again: nobody judged that place. */
function* settleWhere(target: Target, temp: Bytes): Work<void> {
  yield* demandSamePlace(target);
  yield* settleNew(target, temp);
  try {
    yield* steadily(demandSamePlace(target));
  } catch (thrown) {
    yield* steadily(unlink(target.parent.mount, inFolder(target.parent, target.name)));
    throw thrown;
  }
}

/** Writing takes its time: another call may have moved or removed the folder that is held. */
function* demandSamePlace({ parent, name, real, shown }: Target): Work<void> {
  const folder = yield* readlink(parent.mount, `${PROC_FD}/${parent.fd}`);
  if (join(folder, name) !== real)
    throw new WriteFailedError(shown, "its folder was moved or removed meanwhile", { hint: "Look where it is now." });
}

/** A second name for the temporary file: unlike a rename it never replaces what somebody made there meanwhile. */
function* settleNew({ parent, name }: Target, temp: Bytes): Work<void> {
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

function* exchange(temps: Temps, target: FileTarget, content: NewContent, change: Change): Work<Filled> {
  const { before: old } = content;
  const isWanted = old !== undefined && change.wants(old.length);
  return yield* putInPlace(temps, target, {
    change,
    mode: modeFor(target.found),
    fill: (temp) => fillTemp(temp, target, content, isWanted ? old : undefined),
    record: (made) => recordRewrite(target, made, old, change),
    place: (temp) => renameOver(target, temp),
  });
}

function* recordRewrite(
  target: FileTarget,
  made: Filled,
  bytes: Uint8Array | undefined,
  change: Change,
): Work<UndoStep> {
  yield* demandSamePlace(target);
  const old = { at: target, bytes, mark: made.before };
  const before = yield* withEntry(target, (entry) => change.keep(entry, target.found, old));
  return { did: "rewrote", path: target.real, before, after: made.mark };
}

/** Our locks hold servers with one data folder apart; for all others the last look is as late as it can be. */
function* renameOver({ parent, name, shown, found }: FileTarget, temp: Bytes): Work<void> {
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
  target: FileTarget,
  { bytes, mode, afterOld, before: old }: NewContent,
  change: Change,
  problem: unknown,
): Work<Replaced> {
  const refuse = (why: string): never => {
    const hint = `Its folder does not let it be replaced, and ${why}.`;
    throw new PermissionDeniedError(target.shown, { hint, cause: problem });
  };
  if (target.found.nlink > 1n) refuse("it has other names, whose content would change with it");
  if (mode !== undefined || afterOld !== undefined) refuse("this change needs that");
  yield* demandSamePlace(target);
  const mark = { sha256: sha256OfBytes(bytes), size: bytes.length };
  return yield* withEntry(target, (entry) =>
    withOpen(entry, constants.O_WRONLY, function* (file) {
      const before = yield* change.keep(entry, target.found, { durable: true, bytes: old });
      if (!change.isHeld) refuse("its old content cannot be kept for undo first");
      change.note({ did: "rewrote", path: target.real, before, after: mark });
      yield* steadily(fillAnew(file, bytes));
      return { mark, stat: yield* fstat(file), created: false, atomic: false, linkBroken: false };
    }),
  );
}

function* fillAnew(file: Descriptor, bytes: Uint8Array): Work<void> {
  yield* put(file, bytes, 0);
  yield* truncate(file, bytes.length);
  yield* fsync(file);
}
