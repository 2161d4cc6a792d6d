import { NotFoundError } from "@llmc/errors";
import type { Hand } from "./hand.js";
import { close, fstat, inFolder, lstat, readlink, type Bytes, type Steps } from "./kernel/syscalls.js";
import type { Asked } from "./path/argument.js";
import { contains, join, namesOf } from "./path/names.js";
import { walkToSpot, type Spot, type Tree } from "./path/walk.js";

export interface SpotOptions {
  /** Whether a link in the last name is followed. */
  readonly follow: boolean;
  readonly signal?: AbortSignal | undefined;
}

const ATTEMPTS = 10;

/** Works at a place that nobody else of us changes meanwhile: what is there is looked at again once it is ours. */
export async function atSpot<T>(
  hand: Hand,
  asked: Asked,
  { follow, signal }: SpotOptions,
  work: (spot: Spot) => Steps<T>,
): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    await using first = await findSpot(hand, asked, follow, signal);
    await using _lock = await hand.locks.hold(first.key, { shown: asked.shown, signal });
    const done = await hand.change(workIfStill(hand, first.spot, work), asked.shown, signal);
    if (done !== undefined) return done.value;
    // Replaced while we waited for our turn. Found anew it is ours still, unless the way to it has changed as well.
    await using second = await findSpot(hand, asked, follow, signal);
    if (second.key !== first.key) continue;
    const again = await hand.change(workIfStill(hand, second.spot, work), asked.shown, signal);
    if (again !== undefined) return again.value;
  }
  throw new NotFoundError(asked.shown, "Something replaces it all the time: try again.");
}

async function findSpot(
  hand: Hand,
  asked: Asked,
  follow: boolean,
  signal: AbortSignal | undefined,
): Promise<{ readonly spot: Spot; readonly key: string } & AsyncDisposable> {
  const found = await hand.run(keyedSpot(hand, asked, follow), asked.shown, signal);
  return { ...found, [Symbol.asyncDispose]: () => hand.run(letGo(found.spot), asked.shown).catch(() => {}) };
}

function* keyedSpot(hand: Hand, asked: Asked, follow: boolean): Steps<{ readonly spot: Spot; readonly key: string }> {
  const spot = yield* walkToSpot(hand.tree, asked, { follow, hold: true });
  try {
    return { spot, key: yield* placeKey(spot) };
  } catch (thrown) {
    yield* letGo(spot);
    throw thrown;
  }
}

/** Undefined when the name means something else than it did at the walk. */
function* workIfStill<T>(
  hand: Hand,
  spot: Spot,
  work: (spot: Spot) => Steps<T>,
): Steps<{ readonly value: T } | undefined> {
  const { parent, name, found: before } = spot;
  const real = yield* realNow(hand, spot);
  const found = yield* lstat(parent.mount, inFolder(parent, name));
  if (found?.dev !== before?.dev || found?.ino !== before?.ino) return undefined;
  return { value: yield* work({ ...spot, real, found }) };
}

function* letGo({ parent, entry }: Spot): Steps<void> {
  yield* close(parent);
  if (entry !== undefined) yield* close(entry);
}

/** Names a place for the locks: the same for every spelling of its path. */
export function* placeKey({ parent, name }: Spot): Steps<string> {
  const { dev, ino } = yield* fstat(parent);
  return `${dev}:${ino}/${name}`;
}

/** Under the path that the held folder has now: it may have been moved since the walk. */
function* realNow({ tree }: Hand, { parent, name, real, shown }: Spot): Steps<Bytes> {
  const folder = yield* readlink(parent.mount, `/proc/self/fd/${parent.fd}`);
  const now = name === "." ? folder : join(folder, name);
  if (now !== real) refuseMoved(tree, now, shown);
  return now;
}

function refuseMoved({ roots, closed }: Tree, real: Bytes, shown: string): void {
  const around = roots.filter((root) => contains(root.real, real)).map((root) => root.real);
  if (around.length === 0) throw new NotFoundError(shown);
  closed.refusePath(
    around.reduce((a, b) => (b.length > a.length ? b : a)),
    real,
    shown,
  );
}

/** The folder in which a spot lies. */
export function folderOf(real: Bytes): Bytes {
  const names = namesOf(real);
  return `/${names.slice(0, -1).join("/")}`;
}
