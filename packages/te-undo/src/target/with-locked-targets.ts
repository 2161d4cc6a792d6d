import type { Undo } from "./undo.js";
import { NotFoundError } from "@llmc/errors";
import {
  foundAs,
  isDiskFull,
  closeSoon,
  PROC_FD,
  close,
  inFolder,
  lstat,
  readlink,
  type Work,
  placeKey,
  walkToTarget,
  type Target,
  type Scope,
} from "@llmc/te-path";
import { type Bytes, type RequestedPath, contains, join } from "@llmc/names";

export interface TargetOptions {
  /** Whether a link in the last name is followed. */
  readonly follow: boolean;
  readonly signal?: AbortSignal | undefined;
  /** The work puts another file into the place of what is there, and looks where the folder lies just before it does. */
  readonly replaces?: boolean | undefined;
}

/** A place that is asked for among others. */
export interface RequestedTarget {
  readonly asked: RequestedPath;
  readonly follow: boolean;
}

const ATTEMPTS = 10;

/** Works at a place that nobody else of us changes meanwhile: what is there is looked at again once it is ours. */
export async function withLockedTarget<T>(
  undo: Undo,
  asked: RequestedPath,
  options: TargetOptions,
  work: (target: Target) => Work<T>,
): Promise<T> {
  const done = await atOnce(undo, asked, options, work);
  if (done !== undefined) return done.value;
  const { follow, signal } = options;
  return await withLockedTargets(undo, [{ asked, follow }], signal, ([target]) =>
    undo.scope.change(work(target as Target), asked.shown, signal),
  );
}

/** The same in one go, where nobody has to be waited for; else nothing is done. */
async function atOnce<T>(
  undo: Undo,
  asked: RequestedPath,
  { follow, signal, replaces = false }: TargetOptions,
  work: (target: Target) => Work<T>,
): Promise<{ readonly value: T } | undefined> {
  let drop: ReturnType<Undo["locks"]["holdNow"]>;
  let at: Target | undefined;
  const steps = function* (): Work<{ readonly value: T } | undefined> {
    const target = yield* foundAs(
      asked.shown,
      walkToTarget(undo.scope, asked, { follow, hold: true, toSync: replaces }),
    );
    try {
      drop = undo.locks.holdNow(placeKey(target));
      at = drop && (yield* foundAs(asked.shown, spotNow(undo, target, replaces && target.parent.mount === null)));
      return at && { value: yield* work(at) };
    } finally {
      yield* letGo(target, replaces);
    }
  };
  try {
    return await undo.scope.change(steps(), asked.shown, signal);
  } catch (thrown) {
    if (at !== undefined) noticeFull(undo, [at], thrown);
    throw thrown;
  } finally {
    drop?.();
  }
}

/** At several places at once, in the order in which they were asked for; two of them may be the same. */
export async function withLockedTargets<T>(
  undo: Undo,
  places: readonly RequestedTarget[],
  signal: AbortSignal | undefined,
  work: (targets: readonly Target[]) => Promise<T>,
): Promise<T> {
  const shown = places[0]?.asked.shown ?? "";
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await using first = await findSpots(undo, places, signal);
    await using _locks = await lockAll(undo, first.keys, shown, signal);
    const found = await undo.scope.run(spotsNow(undo, first.spots), shown, signal);
    if (found !== undefined) return await noticingFull(undo, found, work(found));
    // Replaced while we waited for our turn. Found anew it is ours still, unless the way to it has changed as well.
    await using second = await findSpots(undo, places, signal);
    if (second.keys.some((key) => !first.keys.includes(key))) continue;
    const again = await undo.scope.run(spotsNow(undo, second.spots), shown, signal);
    if (again !== undefined) return await noticingFull(undo, again, work(again));
  }
  throw new NotFoundError(shown, "Something replaces it all the time: try again.");
}

/** Where a disk takes no more, what is deleted next is to make room there. */
async function noticingFull<T>(undo: Undo, targets: readonly Target[], work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    noticeFull(undo, targets, thrown);
    throw thrown;
  }
}

function noticeFull(undo: Undo, targets: readonly Target[], thrown: unknown): void {
  if (isDiskFull(thrown)) for (const { parentId } of targets) undo.wasFull(parentId.dev);
}

/** In one order for everybody, so that no two wait for each other. */
async function lockAll(
  undo: Undo,
  keys: readonly string[],
  shown: string,
  signal: AbortSignal | undefined,
): Promise<AsyncDisposable> {
  const held: AsyncDisposable[] = [];
  const letAllGo = async (): Promise<void> => {
    for (const each of held.toReversed()) await each[Symbol.asyncDispose]();
  };
  try {
    for (const key of [...new Set(keys)].toSorted()) held.push(await undo.locks.hold(key, { shown, signal }));
    return { [Symbol.asyncDispose]: letAllGo };
  } catch (thrown) {
    await letAllGo();
    throw thrown;
  }
}

interface FoundSpots extends AsyncDisposable {
  readonly spots: readonly Target[];
  readonly keys: readonly string[];
}

async function findSpots(
  undo: Undo,
  places: readonly RequestedTarget[],
  signal: AbortSignal | undefined,
): Promise<FoundSpots> {
  const targets: Target[] = [];
  const keys: string[] = [];
  const letAllGo = async (): Promise<void> => {
    for (const target of targets) await undo.scope.run(letGo(target), target.shown).catch(() => {});
  };
  try {
    for (const { asked, follow } of places) {
      const spot = await undo.scope.run(walkToTarget(undo.scope, asked, { follow, hold: true }), asked.shown, signal);
      targets.push(spot);
      keys.push(placeKey(spot));
    }
    return { spots: targets, keys, [Symbol.asyncDispose]: letAllGo };
  } catch (thrown) {
    await letAllGo();
    throw thrown;
  }
}

/** Undefined when a name means something else than it did at the walk. */
function* spotsNow(undo: Undo, targets: readonly Target[]): Work<readonly Target[] | undefined> {
  const now: Target[] = [];
  for (const target of targets) {
    const one = yield* spotNow(undo, target);
    if (one === undefined) return undefined;
    now.push(one);
  }
  return now;
}

/** `isNear`: the walk has just come to the folder, and where that lies is looked at again. */
function* spotNow(undo: Undo, target: Target, isNear = false): Work<Target | undefined> {
  const { parent, name, found: before } = target;
  const real = isNear ? target.real : yield* realNow(undo, target);
  const found = yield* lstat(parent.mount, inFolder(parent, name));
  return found?.dev === before?.dev && found?.ino === before?.ino ? { ...target, real, found } : undefined;
}

/** The last hold on a file that was replaced: the disk gives its blocks back then, and nobody need wait for that. */
function* letGo({ parent, entry }: Target, isReplaced = false): Work<void> {
  yield* close(parent);
  if (entry !== undefined && isReplaced && entry.mount === null) closeSoon(entry.fd);
  else if (entry !== undefined) yield* close(entry);
}

/** Under the path that the held folder has now: it may have been moved since the walk. */
function* realNow({ scope }: Undo, { parent, name, real, shown }: Target): Work<Bytes> {
  const folder = yield* readlink(parent.mount, `${PROC_FD}/${parent.fd}`);
  const now = name === "." ? folder : join(folder, name);
  if (now !== real) refuseMoved(scope, now, shown);
  return now;
}

function refuseMoved({ roots, forbidden }: Scope, real: Bytes, shown: string): void {
  const around = roots.filter((root) => contains(root.real, real)).map((root) => root.real);
  if (around.length === 0) throw new NotFoundError(shown);
  forbidden.refusePath(
    around.reduce((a, b) => (b.length > a.length ? b : a)),
    real,
    shown,
  );
}
