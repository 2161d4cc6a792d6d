import { type Temps, type Change as UndoableChange, replaceTarget, struckIfNot } from "@llmc/te-undo";
import {
  type ContentMark,
  inFolder,
  lstat,
  steadily,
  unlink,
  type Stat,
  type Work,
  type Target,
  withEntry,
  hasFile,
  type FileTarget,
  syncFolder,
} from "@llmc/te-path";
import type { Change } from "@llmc/patch";
import { renameTo } from "../move/rename-to.js";

/** A change of a diff, and the held places at which it is made. */
export interface PlacedChange {
  readonly change: Change;
  readonly target: Target;
  /** Of a rename or a copy. */
  readonly from: Target | null;
}

/** What a file is once it is changed; its sum where that is not what it was. */
export interface Made {
  readonly stat: Stat;
  readonly mark?: ContentMark;
}

/** Makes one change of a diff; what the file is then, or undefined when it is gone. */
export function* makeChange(temps: Temps, placed: PlacedChange, undoable: UndoableChange): Work<Made | undefined> {
  const { change } = placed;
  // An earlier change of the same diff may have moved what was here.
  const target = yield* refreshed(placed.target);
  const from = placed.from && (yield* refreshed(placed.from));
  if (change.kind === "delete") return yield* remove(target, undoable, read(change, target, placed.target));
  const bytes = change.after ?? Buffer.alloc(0);
  if (change.kind === "rename" && from !== null && hasFile(from)) {
    const moved = yield* move(from, target, undoable);
    const isSame = change.before?.equals(bytes) === true && change.mode === null;
    if (moved !== undefined && isSame) return { stat: moved.found };
    const made = yield* replaceTarget(temps, moved ?? target, { bytes, mode: modeOf(change, from) }, undoable);
    if (moved === undefined) yield* remove(from, undoable);
    return made;
  }
  const before = from === null ? read(change, target, placed.target) : undefined;
  return yield* replaceTarget(temps, target, { bytes, before, mode: modeOf(change, from) }, undoable);
}

/** Returns the content that the diff was compared with, unless the file changed since. */
function read({ before }: Change, { found: now }: Target, { found: then }: Target): Uint8Array | undefined {
  const isSame = now !== undefined && then !== undefined && now.ctimeNs === then.ctimeNs && now.ino === then.ino;
  return isSame ? (before ?? undefined) : undefined;
}

/** What the diff says; else that of the file it comes from; else what it has, or a new file gets. */
function modeOf({ mode }: Change, from: Target | null): number | undefined {
  return mode ?? (from?.found === undefined ? undefined : Number(from.found.mode & 0o777n));
}

function* refreshed(target: Target): Work<Target> {
  const { parent, name, found: before } = target;
  const found = yield* lstat(parent.mount, inFolder(parent, name));
  const isSame = found?.dev === before?.dev && found?.ino === before?.ino;
  return { ...target, found, entry: isSame ? target.entry : undefined };
}

function* remove(target: Target, undoable: UndoableChange, bytes?: Uint8Array): Work<undefined> {
  if (!hasFile(target)) throw Object.assign(new Error("gone meanwhile"), { code: "ENOENT" });
  const before = yield* withEntry(target, (entry) => undoable.keep(entry, target.found, { at: target, bytes }));
  undoable.note({ did: "deleted", path: target.real, before });
  yield* struckIfNot(undoable, unlink(target.parent.mount, inFolder(target.parent, target.name)));
  yield* steadily(syncFolder(target.parent));
  return undefined;
}

/** The file under its new name, or undefined where another file system is between the two. */
function* move(from: FileTarget, to: Target, undoable: UndoableChange): Work<FileTarget | undefined> {
  if (!(yield* steadily(renameTo(from, to, undoable)))) return undefined;
  for (const { parent } of [to, from]) yield* steadily(syncFolder(parent));
  return { ...to, found: from.found, entry: undefined };
}
