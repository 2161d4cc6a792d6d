import { posix } from "node:path";
import { NotFoundError } from "@llmc/errors";
import { type Undo, type ChangeOptions, type UndoNote, type Computed, persist, replaceContent } from "@llmc/te-undo";
import { type Work, type Target, hasFile, refuseWrite, waitFor } from "@llmc/te-path";
import type { RequestedPath } from "@llmc/names";
import { type BlockEdit, replaceBlocks, type Replaced, type ReplaceOptions, type EditReport } from "@llmc/patch";
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
  /** Encoding of the file, which the patch keeps. */
  readonly encoding: Replaced["encoding"];
  readonly replacementsMade: number;
  readonly edits: readonly EditReport[];
  readonly beforeSnippet: string;
  readonly afterSnippet: string;
  readonly wasChanged: boolean;
  readonly atomic: boolean;
  readonly linkBroken: boolean;
}

/** Replaces blocks of text, all or nothing. */
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
    const wanted = { change, signal, reads: true };
    return await replaceContent(undo, asked, wanted, (target) => compute(undo, guard, target, options));
  } catch (thrown) {
    await undo.scope.change(change.rollBack(), asked.shown);
    throw thrown;
  }
}

function* compute(
  undo: Undo,
  guard: StaleGuard,
  target: Target,
  { edits, normalize, maxBytes, session, signal, dryRun }: PatchFileOptions,
): Work<Computed<Omit<PatchedFile, keyof UndoNote>>> {
  yield* refuseWrite(undo.scope.execConfig, target);
  const { shown: path } = target;
  if (!hasFile(target)) throw new NotFoundError(path, { id: "write-new-file" });
  const wasChanged = yield* refuseChanged(guard, target, { session }, true);
  const before = yield* readWhole(target, maxBytes);
  const named = posix.basename(path);
  const after = yield* waitFor(() => replaceBlocks(before, edits, { path: named, normalize, maxBytes, signal }));
  const report = { path, wasChanged, ...reportOf(after) };
  if (dryRun === true) return { unchanged: { ...report, atomic: true, linkBroken: false } };
  return {
    content: { bytes: after.content, before },
    report({ mark, stat, atomic, linkBroken }) {
      guard.marks.changed(session, target.real, stat, mark.sha256);
      return { ...report, atomic, linkBroken };
    },
  };
}

function reportOf({ encoding, replacementsMade, edits, beforeSnippet, afterSnippet }: Replaced) {
  return { encoding, replacementsMade, edits, beforeSnippet, afterSnippet };
}
