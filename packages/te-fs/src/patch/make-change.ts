import { type Temps, type Change as Journalled, replaceFile, struckIfNot } from "@llmc/te-undo";
import {
  type ContentMark,
  inFolder,
  lstat,
  steadily,
  unlink,
  type Stat,
  type Steps,
  type Spot,
  withEntry,
  hasFile,
  type FileSpot,
  syncFolder,
} from "@llmc/te-path";
import type { Change } from "@llmc/patch";
import { renameTo } from "../move/rename-to.js";

/** A change of a diff, and the held places at which it is made. */
export interface PlacedChange {
  readonly change: Change;
  readonly spot: Spot;
  /** Of a rename or a copy. */
  readonly from: Spot | null;
}

/** What a file is once it is changed; its sum where that is not what it was. */
export interface Made {
  readonly stat: Stat;
  readonly mark?: ContentMark;
}

/** Makes one change of a diff; what the file is then, or undefined when it is gone. */
export function* makeChange(temps: Temps, placed: PlacedChange, journalled: Journalled): Steps<Made | undefined> {
  const { change } = placed;
  // An earlier change of the same diff may have moved what was here.
  const spot = yield* refreshed(placed.spot);
  const from = placed.from && (yield* refreshed(placed.from));
  if (change.kind === "delete") return yield* remove(spot, journalled);
  const bytes = change.after ?? Buffer.alloc(0);
  if (change.kind === "rename" && from !== null && hasFile(from)) {
    const moved = yield* move(from, spot, journalled);
    const isSame = change.before?.equals(bytes) === true && change.mode === null;
    if (moved !== undefined && isSame) return { stat: moved.found };
    const made = yield* replaceFile(temps, moved ?? spot, { bytes, mode: modeOf(change, from) }, journalled);
    if (moved === undefined) yield* remove(from, journalled);
    return made;
  }
  return yield* replaceFile(temps, spot, { bytes, mode: modeOf(change, from) }, journalled);
}

/** What the diff says; else that of the file it comes from; else what it has, or a new file gets. */
function modeOf({ mode }: Change, from: Spot | null): number | undefined {
  return mode ?? (from?.found === undefined ? undefined : Number(from.found.mode & 0o777n));
}

function* refreshed(spot: Spot): Steps<Spot> {
  const { parent, name, found: before } = spot;
  const found = yield* lstat(parent.mount, inFolder(parent, name));
  const isSame = found?.dev === before?.dev && found?.ino === before?.ino;
  return { ...spot, found, entry: isSame ? spot.entry : undefined };
}

function* remove(spot: Spot, journalled: Journalled): Steps<undefined> {
  if (!hasFile(spot)) throw Object.assign(new Error("gone meanwhile"), { code: "ENOENT" });
  const before = yield* withEntry(spot, (entry) => journalled.keep(entry, spot.found, { at: spot }));
  journalled.note({ did: "deleted", path: spot.real, before });
  yield* struckIfNot(journalled, unlink(spot.parent.mount, inFolder(spot.parent, spot.name)));
  yield* steadily(syncFolder(spot.parent));
  return undefined;
}

/** The file under its new name, or undefined where another file system is between the two. */
function* move(from: FileSpot, to: Spot, journalled: Journalled): Steps<FileSpot | undefined> {
  if (!(yield* steadily(renameTo(from, to, journalled)))) return undefined;
  for (const { parent } of [to, from]) yield* steadily(syncFolder(parent));
  return { ...to, found: from.found, entry: undefined };
}
