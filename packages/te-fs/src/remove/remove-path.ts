import { InvalidArgumentError, IsDirectoryError } from "@llmc/errors";
import { type Undo, withLockedTarget, type ChangeOptions, type UndoNote, whoIs, type Change } from "@llmc/te-undo";
import {
  kindOf,
  type Stat,
  type Work,
  refuseRemoval,
  type Target,
  type Scope,
  Progress,
  roomOf,
  demandExisting,
  type ExistingTarget,
} from "@llmc/te-path";
import { refuseChangedBelow } from "../stale/changed-below.js";
import { refuseChanged } from "../stale/refuse-changed.js";
import type { StaleGuard } from "../stale/stale-guard.js";
import { keepRemoved } from "./keep-removed.js";
import { lookAtFolder, type Contents, type FolderCount } from "./look-at-folder.js";
import { mayTake } from "./may-take.js";
import { removeForGood } from "./remove-for-good.js";

export interface RemoveOptions extends ChangeOptions {
  /** Folders as well, with all they hold. */
  readonly recursive?: boolean | undefined;
  /** Only say what would go. */
  readonly dryRun?: boolean | undefined;
  /** How many names a dry run lists. */
  readonly maxListed?: number | undefined;
  /** Nothing is kept for undo. */
  readonly secure?: boolean | undefined;
  /** The content that a file must have. */
  readonly expectedSha256?: string | null | undefined;
}

export interface Removed extends UndoNote {
  readonly paths: readonly RemovedPath[];
}

export interface RemovedPath {
  /** As the caller spelled it. */
  readonly path: string;
  /** Files, links and folders that are gone. */
  readonly removed: number;
  /** Somebody else changed the file since the session read it, and it was removed all the same. */
  readonly wasChanged: boolean;
  /** Of a dry run. */
  readonly would?: WouldRemove;
}

export interface WouldRemove {
  readonly entries: number;
  /** The room that it takes on the disk. */
  readonly bytes: number;
  /** The first of them, nearest to the path and by name; folders end in a slash. */
  readonly names: readonly string[];
  /** Folders among `names` that are directly in the path. */
  readonly folders: readonly FolderCount[];
}

/** Removes files, symlinks themselves, and folders with their contents; all or none, as one change. */
export async function removePaths(
  undo: Undo,
  guard: StaleGuard,
  paths: readonly string[],
  options: RemoveOptions,
): Promise<Removed> {
  const { owner, session, cwd, secure = false } = options;
  const requested = paths.map((path) => undo.scope.requested(path, cwd));
  const shown = requested.map((each) => each.shown);
  const change = undo.begin({ owner, session, kind: "delete", paths: shown, secure });
  const each = async (wanted: RemoveOptions): Promise<RemovedPath[]> => {
    const { signal } = wanted;
    const removed: RemovedPath[] = [];
    for (const asked of requested)
      removed.push(
        await withLockedTarget(undo, asked, { follow: false, signal }, (target) =>
          removeAt(undo, guard, target, change, wanted),
        ),
      );
    return removed;
  };
  try {
    // Checks every path before the first removal, so that a refusal leaves all of them in place.
    const looked = options.dryRun === true || paths.length > 1 ? await each({ ...options, dryRun: true }) : [];
    if (options.dryRun === true) return { paths: looked, undo: null };
    const removed = await each(options);
    return { paths: removed, ...(await undo.scope.change(change.finish(), shown[0] ?? "")) };
  } catch (thrown) {
    await undo.scope.change(change.rollBack(), shown[0] ?? "");
    throw thrown;
  }
}

function* removeAt(
  undo: Undo,
  guard: StaleGuard,
  target: Target,
  change: Change,
  options: RemoveOptions,
): Work<RemovedPath> {
  demandExisting(target);
  const { shown, found } = target;
  const isFolder = kindOf(found) === "folder";
  refuseRemoval(undo.scope, target);
  if (isFolder && options.recursive !== true) throw new IsDirectoryError(shown, { id: "delete-recursively" });
  const wasChanged = yield* refuseOther(undo.scope, guard, target, options);
  yield* mayTake(target);
  const progress = new Progress(options.progress);
  const contents = isFolder ? yield* lookAtFolder(target, { ...options, progress }) : single(found);
  if (options.dryRun === true) {
    const { entries, bytes, names, folders } = contents;
    return { path: shown, removed: 0, wasChanged, would: { entries, bytes, names, folders } };
  }
  const removed =
    (yield* keepRemoved(target, contents, change, progress)) ??
    (yield* removeUnkept(target, contents, change, progress));
  guard.marks.forget(options.session, target.real);
  return { path: shown, removed, wasChanged };
}

/** Only what was read can have been changed since; what is no file is never opened to find out. */
function* refuseOther(
  scope: Scope,
  guard: StaleGuard,
  target: ExistingTarget,
  { session, expectedSha256 }: RemoveOptions,
): Work<boolean> {
  if (kindOf(target.found) === "file") return yield* refuseChanged(guard, target, { session, expectedSha256 }, false);
  if (typeof expectedSha256 === "string") {
    throw new InvalidArgumentError(`No content can be expected of ${target.shown}: it is not a file`, {
      id: "expect-content-of-file",
      path: target.shown,
    });
  }
  return kindOf(target.found) === "folder" && (yield* refuseChangedBelow(scope, guard, target, session));
}

/** The step says no more than that something happened, and so why it cannot be taken back. */
function* removeUnkept(target: ExistingTarget, contents: Contents, change: Change, progress: Progress): Work<number> {
  change.note({ did: "removed", path: target.real, kept: "", who: whoIs(target.found) });
  return yield* removeForGood(target, contents, change, progress);
}

function single(found: Stat): Contents {
  const kind = kindOf(found);
  const special = kind === "file" || kind === "link" ? undefined : { way: [], kind };
  return { entries: 1, bytes: roomOf(found), names: [], folders: [], special, stuck: undefined };
}
