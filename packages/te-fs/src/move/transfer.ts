import { NotFoundError } from "@llmc/errors";
import { type Undo, withLockedTargets, type ChangeOptions, type UndoNote, type Change } from "@llmc/te-undo";
import { folderOf, type RequestedPath } from "@llmc/names";
import {
  done,
  kindOf,
  type Work,
  type Target,
  type Scope,
  demandExisting,
  type ExistingTarget,
  Progress,
  discard,
  refuseBecome,
  refuseExecuted,
  type Name,
} from "@llmc/te-path";
import { makeParents } from "../write/make-folders.js";
import { lookAt } from "../stale/look-at.js";
import { refuseChanged, wasChanged } from "../stale/refuse-changed.js";
import type { StaleGuard } from "../stale/stale-guard.js";
import { moveByCopy, type MovedByCopy } from "./move-by-copy.js";
import { finalTarget, type Destination, type FinalTarget } from "./final-target.js";
import { keepReplaced } from "./keep-replaced.js";
import { refuseTransfer } from "./refuse-transfer.js";
import { mayRename, renameTo } from "./rename-to.js";

export interface TransferOptions extends ChangeOptions {
  /** Replace a file that is there, or an empty folder. */
  readonly overwrite?: boolean | undefined;
  /** Make the folders that are missing. */
  readonly createParents?: boolean | undefined;
  /** The content that a file must have which is replaced. */
  readonly expectedSha256?: string | null | undefined;
}

export interface Transferred extends UndoNote {
  readonly paths: readonly TransferredPath[];
}

export interface TransferredPath {
  /** As the caller spelled it. */
  readonly source: string;
  /** Where it is now. */
  readonly target: string;
  readonly replaced: boolean;
  /** Somebody else changed the file that was replaced since the session read it. */
  readonly wasChanged: boolean;
  /** Files, links and folders that were copied; undefined when a rename was enough. */
  readonly copied: { readonly entries: number; readonly bytes: number } | undefined;
  /** Something of the source changed while it was copied, and is still there. */
  readonly left: boolean;
}

interface Wish extends TransferOptions {
  /** Leaves the sources in place. */
  readonly copy: boolean;
}

/** Moves or copies files, links and folders with their contents: one to the target, or several into it. All or none. */
export async function transferPaths(
  undo: Undo,
  guard: StaleGuard,
  sources: readonly string[],
  target: string,
  wish: Wish,
): Promise<Transferred> {
  const { owner, session, cwd, copy } = wish;
  const from = sources.map((source) => undo.scope.requested(source, cwd));
  const to = { ...undo.scope.requested(target, cwd), isFolder: sources.length > 1 };
  const shown = from.map((each) => each.shown);
  const change = undo.begin({ owner, session, kind: copy ? "copy" : "move", paths: [...shown, to.shown] });
  try {
    const paths: TransferredPath[] = [];
    for (const each of from) paths.push(await transfer(undo, guard, each, to, { ...wish, change }));
    return { paths, ...(await undo.scope.change(change.finish(), to.shown)) };
  } catch (thrown) {
    await undo.scope.change(change.rollBack(), shown[0] ?? "");
    throw thrown;
  }
}

async function transfer(
  undo: Undo,
  guard: StaleGuard,
  from: RequestedPath,
  to: Destination,
  wish: Wish & { readonly change: Change },
): Promise<TransferredPath> {
  const { change, signal } = wish;
  const { asked } = await targetOf(undo, from, to, change, wish);
  const places = [from, asked].map((each) => ({ asked: each, follow: false }));
  return await withLockedTargets(undo, places, signal, async ([at, goal]) => {
    const work = { change, progress: new Progress(wish.progress), unsettled: new Set<Name>() };
    try {
      return await undo.scope.change(
        transferAt(undo, guard, at as Target, goal as Target, wish, work),
        asked.shown,
        signal,
      );
    } finally {
      await tidyUp(undo, goal as Target, work.unsettled);
    }
  });
}

/** After a mount has not answered nothing more was tried; elsewhere it may still be possible. */
async function tidyUp(undo: Undo, { real, shown }: Target, unsettled: ReadonlySet<Name>): Promise<void> {
  for (const temp of unsettled)
    if (await undo.scope.run(discard(temp), shown)) undo.temps.done(folderOf(real), temp.name);
}

interface Transfer {
  readonly change: Change;
  readonly progress: Progress;
  readonly unsettled: Set<Name>;
}

async function targetOf(
  undo: Undo,
  from: RequestedPath,
  to: Destination,
  change: Change,
  wish: Wish,
): Promise<FinalTarget> {
  const find = () => undo.scope.run(finalTarget(undo.scope, from, to), to.shown, wish.signal);
  const first = await find();
  if (first.missing === undefined) return first;
  const { shown } = first.missing;
  if (wish.createParents !== true) throw new NotFoundError(shown, { id: "create-target-folder" });
  await makeParents(undo, { ...first.missing, shown: `${shown}/.` }, change, wish.signal);
  return await find();
}

function* transferAt(
  undo: Undo,
  guard: StaleGuard,
  from: Target,
  to: Target,
  wish: Wish,
  work: Transfer,
): Work<TransferredPath> {
  demandExisting(from);
  const { session, copy, overwrite = false, expectedSha256 } = wish;
  yield* refuseTransfer(undo.scope, from, to, { copy, overwrite });
  const isFile = to.found !== undefined && kindOf(to.found) === "file";
  const isOther = isFile && (yield* refuseChanged(guard, to, { session, expectedSha256 }, false));
  yield* refuseExecuted(undo.scope, from, to, { copy, progress: work.progress });
  // What the session has not seen of it, it has not seen under its new name either.
  if (!copy && kindOf(from.found) === "file" && (yield* wasChanged(guard, from, session)))
    guard.marks.missed(session, from.real);
  const carried = yield* goThere(undo, from, to, { ...work, copy });
  yield* mark(undo.scope, guard, from, to, wish, carried !== undefined);
  yield* refuseBecome(undo.scope, from, to, work.progress);
  return {
    source: from.shown,
    target: to.shown,
    replaced: to.found !== undefined,
    wasChanged: isOther,
    copied: carried && { entries: carried.entries, bytes: carried.bytes },
    left: carried?.left ?? false,
  };
}

interface Going extends Transfer {
  readonly copy: boolean;
}

/** Undefined when a rename was enough. */
function* goThere(undo: Undo, from: ExistingTarget, to: Target, going: Going): Work<MovedByCopy | undefined> {
  if (going.copy || !(yield* mayRename(from, to)))
    return yield* moveByCopy(undo, from, to, { ...going, isKept: false });
  if (to.found !== undefined) yield* keepReplaced({ ...to, found: to.found }, going.change);
  if (yield* renameTo(from, to, going.change)) return undefined;
  return yield* moveByCopy(undo, from, to, { ...going, isKept: true });
}

/** The session knows what it has put there as well as it knew it where it was. */
function* mark(
  scope: Scope,
  { marks }: StaleGuard,
  from: ExistingTarget,
  to: Target,
  { session, copy }: Wish,
  anew: boolean,
): Work<void> {
  const isFile = kindOf(from.found) === "file";
  if (!copy) marks.moved(session, from.real, to.real);
  if (!isFile && (copy || !anew)) return;
  for (const real of isFile ? [to.real] : marks.below(session, to.real)) {
    const now = yield* lookAt(scope, real, (target) => done(target.found));
    if (now === undefined) marks.forget(session, real);
    else if (isFile && copy) marks.saw(session, real, now);
    else if (isFile || marks.isCopyOfSeen(session, real, now)) marks.renewed(session, real, now);
    else marks.missed(session, real);
  }
}
