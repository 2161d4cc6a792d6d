import { AlreadyExistsError, HalfDoneError } from "@llmc/errors";
import { type Undo, type Change, whoIs } from "@llmc/te-undo";
import { folderOf } from "@llmc/names";
import {
  fromChangeErrno,
  kindOf,
  inFolder,
  lstat,
  rename,
  steadily,
  type Stat,
  type Work,
  type Target,
  removeTree,
  type ExistingTarget,
  type Progress,
  syncFolder,
  copyTree,
  discard,
  type Copied,
  Fingerprints,
  type Name,
  placeNew,
  TreeMarks,
} from "@llmc/te-path";
import { keepReplaced } from "./keep-replaced.js";
import { refuseUncopiable } from "./look-at-source.js";

export interface MoveByCopyOptions {
  /** The source stays. */
  readonly copy: boolean;
  readonly change: Change;
  readonly progress: Progress;
  /** What is replaced is in the journal already. */
  readonly isKept: boolean;
  /** Copies that are not yet in their place; what could not be tidied up stays in here. */
  readonly unsettled: Set<Name>;
}

export interface MovedByCopy extends Copied {
  /** Whether something of the source changed after it was copied, and so stayed. */
  readonly left: boolean;
}

/**
 * To another file system, or a copy: whole under another name first, then renamed to where it goes, and only then the
 * source is removed. Whenever it is interrupted, the source or the target is whole.
 */
export function* moveByCopy(
  undo: Undo,
  from: ExistingTarget,
  to: Target,
  options: MoveByCopyOptions,
): Work<MovedByCopy> {
  yield* refuseUncopiable(from, options);
  const seen = new Fingerprints();
  const marks = options.copy ? new TreeMarks() : undefined;
  const temp: Name = { folder: to.parent, name: undo.temps.name(folderOf(to.real)) };
  const { unsettled } = options;
  unsettled.add(temp);
  try {
    const copied = yield* copyTo(undo, from, temp, { ...options, seen, marks });
    const goal = yield* lookAgain(to);
    if (goal.found !== undefined && !options.isKept)
      yield* keepReplaced({ ...goal, found: goal.found }, options.change);
    yield* place(temp, from, goal, { ...options, copied });
    unsettled.delete(temp);
    if (options.copy) {
      yield* steadily(remember(goal, copied, marks?.prints, options.change));
      return { ...copied, left: false };
    }
    yield* steadily(syncFolder(to.parent));
    return { ...copied, left: yield* steadily(removeSource(from, to, seen, options)) };
  } finally {
    if (unsettled.has(temp) && (yield* steadily(discard(temp)))) unsettled.delete(temp);
    if (!unsettled.has(temp)) undo.temps.done(folderOf(to.real), temp.name);
  }
}

interface Noting {
  readonly seen: Fingerprints;
  readonly marks: TreeMarks | undefined;
}

function* copyTo(
  { scope }: Undo,
  from: ExistingTarget,
  temp: Name,
  { copy, progress, seen, marks }: MoveByCopyOptions & Noting,
): Work<Copied> {
  const source: Name = { folder: from.parent, name: from.name };
  return yield* copyTree(source, temp, {
    entry: from.entry,
    shown: from.shown,
    durable: !copy,
    privileges: !copy,
    progress,
    judge: (stat, mount, shown) => scope.forbidden.refuseFound(stat, mount, shown()),
    seen,
    marks,
  });
}

/** A copy takes its time: what was judged and held before it must still be what is replaced. */
function* lookAgain(to: Target): Work<Target> {
  const found = yield* lstat(to.parent.mount, inFolder(to.parent, to.name));
  if (found === undefined || (found.dev === to.found?.dev && found.ino === to.found.ino)) return { ...to, found };
  throw new AlreadyExistsError(to.shown, "Somebody else put it there meanwhile: look at it, then try again.");
}

interface Placing extends MoveByCopyOptions {
  readonly copied: Copied;
}

function* place(temp: Name, from: ExistingTarget, to: Target, { copy, change, copied }: Placing): Work<void> {
  const { mount } = to.parent;
  const [source, target] = [inFolder(temp.folder, temp.name), inFolder(to.parent, to.name)];
  const who = whoIs((yield* lstat(mount, source)) as Stat);
  const { content } = copied;
  const step = { did: "copied", to: to.real, who, ...(content && { content }) } as const;
  change.note(copy ? step : { did: "moved", from: from.real, to: to.real, who });
  try {
    if (to.found === undefined) yield* placeNew(mount, source, target, kindOf(from.found) === "folder");
    else yield* rename(mount, source, target);
  } catch (thrown) {
    change.strike();
    throw thrown;
  }
}

/** With its place it got its last time of change: what is later was changed by others. */
function* remember(
  { parent, name, real: to }: Target,
  { entries }: Copied,
  prints: string | undefined,
  change: Change,
): Work<void> {
  const made = yield* lstat(parent.mount, inFolder(parent, name));
  if (made === undefined || kindOf(made) !== "folder") return;
  const tree = { entries, changedNs: String(made.ctimeNs), ...(prints === undefined ? {} : { prints }) };
  change.amend({ did: "copied", to, who: whoIs(made), tree });
}

/** Only in the states that were copied: what others changed or added since is nowhere else, and stays. */
function* removeSource(
  from: ExistingTarget,
  to: Target,
  seen: Fingerprints,
  options: MoveByCopyOptions,
): Work<boolean> {
  const { change, progress } = options;
  const tally = { removed: 0 };
  try {
    yield* removeTree(from, { shown: from.shown, tally, progress, only: (stat) => seen.has(stat) });
  } catch (thrown) {
    const reason = fromChangeErrno(thrown, from.shown);
    if (tally.removed > 0) {
      change.giveUp("the source is still there in part");
      yield* change.finish();
      throw new HalfDoneError(
        reason,
        `${to.shown} is whole; entries of the source that are gone: ${tally.removed}`,
        tally,
      );
    }
    yield* discard({ folder: to.parent, name: to.name });
    change.strike();
    throw reason;
  }
  const left = (yield* lstat(from.parent.mount, inFolder(from.parent, from.name))) !== undefined;
  if (left) change.giveUp("what changed meanwhile is still in the source");
  return left;
}
