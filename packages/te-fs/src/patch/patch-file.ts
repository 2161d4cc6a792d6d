import { NotFoundError } from "@llmc/errors";
import {
  type Undo,
  withLockedTargets,
  type ChangeOptions,
  type UndoNote,
  type Change,
  ChangedMeanwhileError,
  persist,
  replaceFile,
} from "@llmc/te-undo";
import { inFolder, lstat, type Work, type Target, hasFile, refuseWrite, type FileTarget } from "@llmc/te-path";
import type { RequestedPath } from "@llmc/names";
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
  const asked = undo.scope.requested(path, options.cwd);
  return await persist(options.signal, () => attemptAt(undo, guard, asked, options));
}

async function attemptAt(
  undo: Undo,
  guard: StaleGuard,
  asked: RequestedPath,
  options: PatchFileOptions,
): Promise<PatchedFile> {
  const { owner, session, signal } = options;
  const change = undo.begin({ owner, session, kind: "patch", paths: [asked.shown] });
  try {
    return await withLockedTargets(undo, [{ asked, follow: true }], signal, ([target]) =>
      patchAt(undo, guard, target as Target, change, options),
    );
  } catch (thrown) {
    await undo.scope.change(change.rollBack(), asked.shown);
    throw thrown;
  }
}

async function patchAt(
  undo: Undo,
  guard: StaleGuard,
  target: Target,
  change: Change,
  options: PatchFileOptions,
): Promise<PatchedFile> {
  const { edits, normalize, maxBytes, session, signal, dryRun } = options;
  const { shown: path } = target;
  const read = await undo.scope.change(readFor(undo, guard, target, options), path, signal);
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
  target: Target,
  { session, maxBytes }: PatchFileOptions,
): Work<{ readonly spot: FileTarget; readonly bytes: Buffer; readonly wasChanged: boolean }> {
  yield* refuseWrite(undo.scope.execConfig, target);
  if (!hasFile(target)) throw new NotFoundError(target.shown, "To make a file use linux.fs_write.");
  const wasChanged = yield* refuseChanged(guard, target, { session }, true);
  return { spot: target, bytes: yield* readWhole(target, maxBytes), wasChanged };
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
  target: FileTarget,
  { before, replaced, change, session }: Writing,
): Work<UndoNote & { readonly atomic: boolean; readonly linkBroken: boolean }> {
  if (!(yield* isAsRead(target))) throw new ChangedMeanwhileError(target.shown);
  const { mark, stat, atomic, linkBroken } = yield* replaceFile(
    undo.temps,
    target,
    { bytes: replaced.content, before },
    change,
  );
  guard.marks.changed(session, target.real, stat, mark.sha256);
  return { atomic, linkBroken, ...(yield* change.finish()) };
}

function* isAsRead({ parent, name, found }: FileTarget): Work<boolean> {
  const now = yield* lstat(parent.mount, inFolder(parent, name));
  return now !== undefined && sameIdentity(now, found);
}

function reportOf({ replacementsMade, edits, beforeSnippet, afterSnippet }: Replaced) {
  return { replacementsMade, edits, beforeSnippet, afterSnippet };
}
