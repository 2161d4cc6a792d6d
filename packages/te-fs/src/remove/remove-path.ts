import { InvalidArgumentError, IsDirectoryError } from "@llmc/errors";
import { type Undo, atSpot, type ChangeOptions, type UndoNote, whoIs, type Change } from "@llmc/te-undo";
import {
  kindOf,
  type Stat,
  type Steps,
  refuseRemoval,
  type Spot,
  type Tree,
  Progress,
  roomOf,
  demandTaken,
  type TakenSpot,
} from "@llmc/te-path";
import { refuseChangedBelow } from "../stale/changed-below.js";
import { refuseChanged } from "../stale/refuse-changed.js";
import type { StaleGuard } from "../stale/stale-guard.js";
import { keepRemoved } from "./keep-removed.js";
import { lookAtFolder, type Contents } from "./look-at-folder.js";
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
}

/** What has the name goes: a file, a link itself, or a folder with all below it. */
export async function removePath(
  undo: Undo,
  guard: StaleGuard,
  path: string,
  options: RemoveOptions,
): Promise<Removed> {
  const { owner, session, cwd, signal, secure = false } = options;
  const asked = undo.scope.ask(path, cwd);
  const change = undo.begin({ owner, session, kind: "delete", paths: [asked.shown], secure });
  try {
    return await atSpot(undo, asked, { follow: false, signal }, (spot) => removeAt(undo, guard, spot, change, options));
  } catch (thrown) {
    await undo.scope.change(change.rollBack(), asked.shown);
    throw thrown;
  }
}

function* removeAt(undo: Undo, guard: StaleGuard, spot: Spot, change: Change, options: RemoveOptions): Steps<Removed> {
  demandTaken(spot);
  const { shown, found } = spot;
  const isFolder = kindOf(found) === "folder";
  refuseRemoval(undo.scope, spot);
  if (isFolder && options.recursive !== true)
    throw new IsDirectoryError(shown, "Pass recursive: true to delete it with all it holds.");
  const wasChanged = yield* refuseOther(undo.scope, guard, spot, options);
  yield* mayTake(spot);
  const progress = new Progress(options.progress);
  const contents = isFolder ? yield* lookAtFolder(spot, { ...options, progress }) : single(found);
  if (options.dryRun === true) {
    const { entries, bytes, names } = contents;
    return { path: shown, removed: 0, wasChanged, would: { entries, bytes, names }, undo: null };
  }
  const removed =
    (yield* keepRemoved(spot, contents, change, progress)) ?? (yield* removeUnkept(spot, contents, change, progress));
  guard.marks.forget(options.session, spot.real);
  return { path: shown, removed, wasChanged, ...(yield* change.finish()) };
}

/** Only what was read can have been changed since; what is no file is never opened to find out. */
function* refuseOther(
  scope: Tree,
  guard: StaleGuard,
  spot: TakenSpot,
  { session, expectedSha256 }: RemoveOptions,
): Steps<boolean> {
  if (kindOf(spot.found) === "file") return yield* refuseChanged(guard, spot, { session, expectedSha256 }, false);
  if (typeof expectedSha256 === "string")
    throw new InvalidArgumentError(`expected_sha256 does not go with ${spot.shown}: it is no file`, "Leave it out.");
  return kindOf(spot.found) === "folder" && (yield* refuseChangedBelow(scope, guard, spot, session));
}

/** The step says no more than that something happened, and so why it cannot be taken back. */
function* removeUnkept(spot: TakenSpot, contents: Contents, change: Change, progress: Progress): Steps<number> {
  change.note({ did: "removed", path: spot.real, kept: "", who: whoIs(spot.found) });
  return yield* removeForGood(spot, contents, change, progress);
}

function single(found: Stat): Contents {
  const kind = kindOf(found);
  const special = kind === "file" || kind === "link" ? undefined : { way: [], kind };
  return { entries: 1, bytes: roomOf(found), names: [], special, stuck: undefined };
}
