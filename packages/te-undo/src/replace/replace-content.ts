import { inFolder, lstat, type Stat, type Target, type Work } from "@llmc/te-path";
import type { RequestedPath } from "@llmc/names";
import type { Change } from "../store/change.js";
import type { UndoNote } from "../store/undo-note.js";
import type { Undo } from "../target/undo.js";
import { withLockedTarget } from "../target/with-locked-targets.js";
import { ChangedMeanwhileError } from "./persist.js";
import { replaceTarget, type Replaced } from "./replace-target.js";
import type { NewContent } from "./temp-file.js";

export interface ReplaceOptions {
  readonly change: Change;
  readonly signal?: AbortSignal | undefined;
  /** Whether the content may be appended to the old file, which then keeps its inode. */
  readonly grows?: boolean;
  /** Whether the old content is read first, so that the place of the folder is checked before the read too. */
  readonly reads?: boolean;
}

/** New content for a locked target, or a reason to leave it as it is. */
export type Computed<T> =
  | {
      readonly content: NewContent;
      /** Remembers the new file for its session, and returns the facts for the caller. */
      readonly report: (replaced: Replaced) => T;
    }
  | { readonly unchanged: T };

/**
 * Walk → lock → look again → read → compute → look again → temp → record → rename → sync. `compute` judges the locked target,
 * reads the file and works out the new content. Several targets are locked by `withLockedTargets` and replaced
 * one after the other by `replaceTarget`.
 */
export async function replaceContent<T>(
  undo: Undo,
  asked: RequestedPath,
  { change, signal, grows = false, reads = false }: ReplaceOptions,
  compute: (target: Target) => Work<Computed<T>>,
): Promise<T & UndoNote> {
  return await withLockedTarget(undo, asked, { follow: true, signal, replaces: !grows && !reads }, function* (target) {
    const computed = yield* compute(target);
    if ("unchanged" in computed) return { ...computed.unchanged, undo: null };
    const { content, report } = computed;
    if (content.before !== undefined) demandAsRead(target, yield* statNow(target));
    const replaced = yield* replaceTarget(undo.temps, target, content, change);
    return { ...report(replaced), ...(yield* change.finish()) };
  });
}

/** Refuses a target that changed, appeared or went away since it was read. */
export function demandAsRead({ shown, found: now }: Target, read: Stat | undefined): void {
  const isSame = now === undefined || read === undefined ? now === read : isSameState(now, read);
  if (!isSame) throw new ChangedMeanwhileError(shown);
}

function* statNow({ parent, name }: Target): Work<Stat | undefined> {
  return yield* lstat(parent.mount, inFolder(parent, name));
}

function isSameState(a: Stat, b: Stat): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}
