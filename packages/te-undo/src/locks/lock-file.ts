import { constants } from "node:fs";
import { close, fill, fstat, hasCode, link, open, unlink, type Stat, type Work } from "@llmc/te-path";
import type { Bytes } from "@llmc/names";
import { MARK_BYTES, type Fate } from "./process-mark.js";

/**
 * A lock is a name in the lock folder; whoever has the name has the lock. The name is a hard link to the file of its
 * owner, so that it is there at once or not at all, and from its first moment says who has it.
 *
 * A live owner removes its own name, and nobody else does. The name of a dead owner stays, and must be removed before
 * another can have it. Not by anyone who has found the owner dead: by the time he acts, somebody else may have removed
 * the name and got the lock. So it is removed only by who has its guard, a second lock (the same name and a tilde), and
 * who has found the owner dead while he had the guard. Then nobody else can have removed it in between, for they would
 * need the guard, and the dead owner does nothing: what is removed is what was judged.
 * The guard is a lock as any other: a process may die while it has it, and then it is removed under a guard of its own.
 * In whatever happened, one of these guards was the last that was used, and nobody died with it. That one was exclusive
 * because link() is; so the one before it was, and so on down to the lock itself.
 */
export interface LockSite {
  readonly folder: Bytes;
  /** The file of this process, which says who it is. */
  readonly owner: { readonly path: Bytes; readonly dev: bigint; readonly ino: bigint };
  /** What is known of the owner of a lock, from the text and the state of its file. */
  fateOf(name: Bytes, text: string, stat: Stat): Fate;
}

type Sight = "gone" | "mine" | Fate;

const GUARD = "~";
/** So many processes must have died one after the other within microseconds. */
const MAX_GUARDS = 20;
/** How often the name may be gone at one call and taken at the next, before others get their turn. */
const ATTEMPTS = 4;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Whether the lock is ours now; if not, a live process has it. */
export function* take(site: LockSite, name: Bytes): Work<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (yield* linked(site, name)) return true;
    const sight = yield* look(site, name);
    // Left from when it could not be removed: among ourselves we need no file.
    if (sight === "mine") return true;
    if (sight === "alive" || sight === "unseen") return false;
    if (sight === "dead" && !(yield* removeDead(site, name))) return false;
  }
  return false;
}

/** It may be gone, with its folder, or because others took us for dead. */
export function* remove(folder: Bytes, name: Bytes): Work<void> {
  try {
    yield* unlink(null, `${folder}/${name}`);
  } catch (thrown) {
    if (!hasCode(thrown, "ENOENT")) throw thrown;
  }
}

/** Gives it back after a standstill in which others may have taken us for dead; false while somebody looks into that. */
export function* dropIfMine(site: LockSite, name: Bytes): Work<boolean> {
  return yield* removeIf(site, name, "mine");
}

/** Removes what a dead process left; false while another does. */
export function* removeDead(site: LockSite, name: Bytes): Work<boolean> {
  return yield* removeIf(site, name, "dead");
}

export function* look({ folder, owner, fateOf }: LockSite, name: Bytes): Work<Sight> {
  const found = yield* read(`${folder}/${name}`);
  if (found === undefined) return "gone";
  if (found.stat.dev === owner.dev && found.stat.ino === owner.ino) return "mine";
  return fateOf(name, found.text, found.stat);
}

function* removeIf(site: LockSite, name: Bytes, expected: Sight): Work<boolean> {
  const guard = name + GUARD;
  if (guard.endsWith(GUARD.repeat(MAX_GUARDS)) || !(yield* take(site, guard))) return false;
  try {
    if ((yield* look(site, name)) === expected) yield* remove(site.folder, name);
  } finally {
    yield* remove(site.folder, guard);
  }
  return true;
}

function* linked({ folder, owner }: LockSite, name: Bytes): Work<boolean> {
  try {
    yield* link(null, owner.path, `${folder}/${name}`);
    return true;
  } catch (thrown) {
    if (hasCode(thrown, "EEXIST")) return false;
    throw thrown;
  }
}

function* read(path: Bytes): Work<{ readonly text: string; readonly stat: Stat } | undefined> {
  let file;
  try {
    file = yield* open(null, path, READ);
  } catch (thrown) {
    if (hasCode(thrown, "ENOENT")) return undefined;
    throw thrown;
  }
  try {
    const bytes = Buffer.alloc(MARK_BYTES);
    const count = yield* fill(file, bytes, 0);
    return { text: bytes.toString("latin1", 0, count).trimEnd(), stat: yield* fstat(file) };
  } finally {
    yield* close(file);
  }
}
