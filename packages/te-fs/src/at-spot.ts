import { NotFoundError } from "@llmc/errors";
import type { Hand } from "./hand.js";
import { kindOf } from "./kernel/kind.js";
import { close, fstat, inFolder, lstat, readlink, type Bytes, type Steps } from "./kernel/syscalls.js";
import type { Asked } from "./path/argument.js";
import { contains, join, namesOf } from "./path/names.js";
import { walkToSpot, type Spot, type Tree } from "./path/walk.js";

export interface SpotOptions {
  /** Whether a link in the last name is followed. */
  readonly follow: boolean;
  readonly signal?: AbortSignal | undefined;
}

const MOVING = 10;

/** Works at a place that nobody else of us changes meanwhile: what is there is looked at again once it is ours. */
export async function atSpot<T>(
  hand: Hand,
  asked: Asked,
  options: SpotOptions,
  work: (spot: Spot) => Steps<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    const done = await attemptAt(hand, asked, options, work);
    if (done !== undefined) return done.value;
    // A link was put there while we waited; that many times it is no accident.
    if (attempt === MOVING) throw new NotFoundError(asked.shown, "It is being replaced all the time: try again.");
  }
}

async function attemptAt<T>(
  hand: Hand,
  asked: Asked,
  { follow, signal }: SpotOptions,
  work: (spot: Spot) => Steps<T>,
): Promise<{ readonly value: T } | undefined> {
  const spot = await hand.run(walkToSpot(hand.tree, asked, { follow }), asked.shown, signal);
  try {
    const key = await hand.run(placeKey(spot), asked.shown, signal);
    await using _lock = await hand.locks.hold(key, { shown: asked.shown, signal });
    const now = await hand.run(lookAgain(hand, spot), asked.shown, signal);
    if (follow && now.found !== undefined && kindOf(now.found) === "link") return undefined;
    return { value: await hand.change(work(now), asked.shown, signal) };
  } finally {
    await hand.run(close(spot.parent), asked.shown).catch(() => {});
  }
}

/** Names a place for the locks: the same for every spelling of its path. */
export function* placeKey({ parent, name }: Spot): Steps<string> {
  const { dev, ino } = yield* fstat(parent);
  return `${dev}:${ino}/${name}`;
}

/** The spot as it is now, under the path that the held folder has now: it may have been moved since the walk. */
function* lookAgain({ tree }: Hand, spot: Spot): Steps<Spot> {
  const { parent, name, shown } = spot;
  const folder = yield* readlink(parent.mount, `/proc/self/fd/${parent.fd}`);
  const real = name === "." ? folder : join(folder, name);
  if (real !== spot.real) refuseMoved(tree, real, shown);
  return { ...spot, real, found: yield* lstat(parent.mount, inFolder(parent, name)) };
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
