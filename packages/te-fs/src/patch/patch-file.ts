import { NotFoundError } from "@llmc/errors";
import {
  type Undo,
  atSpots,
  type ChangeOptions,
  type UndoNote,
  type Change,
  ChangedMeanwhileError,
  persist,
  replaceFile,
} from "@llmc/te-undo";
import { inFolder, lstat, type Steps, type Spot, hasFile, refuseWrite, type FileSpot } from "@llmc/te-path";
import type { Asked } from "@llmc/names";
import { type BlockEdit, replaceBlocks, type Replaced, type ReplaceOptions, type EditReport } from "@llmc/patch";
import { sameIdentity } from "../read/open-file.js";
import { refuseChanged } from "../stale/refuse-changed.js";
import type { StaleGuard } from "../stale/stale-guard.js";
import { readWhole } from "./read-whole.js";

export interface PatchFileOptions extends ChangeOptions {
  readonly edits: readonly BlockEdit[];
  readonly normalize?: ReplaceOptions["normalize"];
  /** A larger file is refused. */
  readonly maxBytes: number;
  /** Tell what would become of the file, and leave it alone. */
  readonly dryRun?: boolean | undefined;
}

export interface PatchedFile extends UndoNote {
  readonly path: string;
  readonly replacementsMade: number;
  readonly edits: readonly EditReport[];
  readonly beforeSnippet: string;
  readonly afterSnippet: string;
  readonly wasChanged: boolean;
  readonly atomic: boolean;
  readonly linkBroken: boolean;
}

/** Replaces blocks of text, all or none of them. */
export async function patchFile(
  undo: Undo,
  guard: StaleGuard,
  path: string,
  options: PatchFileOptions,
): Promise<PatchedFile> {
  const asked = undo.scope.ask(path, options.cwd);
  return await persist(options.signal, () => attemptAt(undo, guard, asked, options));
}

async function attemptAt(undo: Undo, guard: StaleGuard, asked: Asked, options: PatchFileOptions): Promise<PatchedFile> {
  const { owner, session, signal } = options;
  const change = undo.begin({ owner, session, kind: "patch", paths: [asked.shown] });
  try {
    return await atSpots(undo, [{ asked, follow: true }], signal, ([spot]) =>
      patchAt(undo, guard, spot as Spot, change, options),
    );
  } catch (thrown) {
    await undo.scope.change(change.rollBack(), asked.shown);
    throw thrown;
  }
}

async function patchAt(
  undo: Undo,
  guard: StaleGuard,
  spot: Spot,
  change: Change,
  options: PatchFileOptions,
): Promise<PatchedFile> {
  const { edits, normalize, maxBytes, session, signal, dryRun } = options;
  const { shown: path } = spot;
  const read = await undo.scope.change(readFor(undo, guard, spot, options), path, signal);
  const replaced = await replaceBlocks(read.bytes, edits, { path, normalize, maxBytes, signal });
  const done =
    dryRun === true
      ? { undo: null, atomic: true, linkBroken: false }
      : await undo.scope.change(
          write(undo, guard, read.spot, { before: read.bytes, replaced, change, session }),
          path,
          signal,
        );
  return { path, wasChanged: read.wasChanged, ...reportOf(replaced), ...done };
}

function* readFor(
  undo: Undo,
  guard: StaleGuard,
  spot: Spot,
  { session, maxBytes }: PatchFileOptions,
): Steps<{ readonly spot: FileSpot; readonly bytes: Buffer; readonly wasChanged: boolean }> {
  yield* refuseWrite(undo.scope.executed, spot);
  if (!hasFile(spot)) throw new NotFoundError(spot.shown, "To make a file use linux.fs_write.");
  const wasChanged = yield* refuseChanged(guard, spot, { session }, true);
  return { spot, bytes: yield* readWhole(spot, maxBytes), wasChanged };
}

interface Writing {
  readonly before: Buffer;
  readonly replaced: Replaced;
  readonly change: Change;
  readonly session: string;
}

function* write(
  undo: Undo,
  guard: StaleGuard,
  spot: FileSpot,
  { before, replaced, change, session }: Writing,
): Steps<UndoNote & { readonly atomic: boolean; readonly linkBroken: boolean }> {
  if (!(yield* isAsRead(spot))) throw new ChangedMeanwhileError(spot.shown);
  const { mark, stat, atomic, linkBroken } = yield* replaceFile(
    undo.temps,
    spot,
    { bytes: replaced.content, before },
    change,
  );
  guard.marks.changed(session, spot.real, stat, mark.sha256);
  return { atomic, linkBroken, ...(yield* change.finish()) };
}

function* isAsRead({ parent, name, found }: FileSpot): Steps<boolean> {
  const now = yield* lstat(parent.mount, inFolder(parent, name));
  return now !== undefined && sameIdentity(now, found);
}

function reportOf({ replacementsMade, edits, beforeSnippet, afterSnippet }: Replaced) {
  return { replacementsMade, edits, beforeSnippet, afterSnippet };
}
