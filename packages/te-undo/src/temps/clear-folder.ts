import { constants } from "node:fs";
import { PermissionDeniedError } from "@llmc/errors";
import {
  kindOf,
  type Mounts,
  chmod,
  close,
  hasCode,
  inFolder,
  lstat,
  open,
  unlink,
  type Descriptor,
  type Work,
  FOLDER,
  removeTree,
  walkBelow,
} from "@llmc/te-path";
import { type Bytes, join, namesOf, displayPath } from "@llmc/names";

const LISTED = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export interface ClearOptions {
  readonly mounts: Mounts;
  /** The network mount on the way there. */
  readonly mount: Bytes | null;
}

/**
 * Removes these names from the folder that really lies at `folder`, with all below them, and returns how many were
 * there; undefined where the folder itself is not. Whoever put a link on the way there gains nothing.
 */
export function* clearFolder(
  folder: Bytes,
  names: Iterable<Bytes>,
  { mounts, mount }: ClearOptions,
): Work<number | undefined> {
  const held = yield* openReal(mount, folder);
  if (held === undefined) return undefined;
  let removed = 0;
  let problem: { readonly thrown: unknown } | undefined;
  try {
    for (const name of names) {
      try {
        if (yield* removeOne(held, name, join(folder, name), mounts)) removed += 1;
      } catch (thrown) {
        problem ??= { thrown };
      }
    }
  } finally {
    yield* close(held);
  }
  if (problem !== undefined) throw problem.thrown;
  return removed;
}

function* openReal(mount: Bytes | null, path: Bytes): Work<Descriptor | undefined> {
  let folder = yield* open(mount, "/", FOLDER);
  for (const name of namesOf(path)) {
    const parent = folder;
    try {
      folder = yield* open(mount, inFolder(parent, name), FOLDER);
    } catch (thrown) {
      if (hasCode(thrown, "ENOENT", "ENOTDIR", "ELOOP")) return undefined;
      throw thrown;
    } finally {
      yield* close(parent);
    }
  }
  return folder;
}

function* removeOne(parent: Descriptor, name: Bytes, real: Bytes, mounts: Mounts): Work<boolean> {
  const found = yield* lstat(parent.mount, inFolder(parent, name));
  if (found === undefined) return false;
  if (kindOf(found) !== "folder") {
    yield* unlink(parent.mount, inFolder(parent, name));
    return true;
  }
  const point = mounts.below(real);
  if (point !== undefined)
    throw new PermissionDeniedError(displayPath(real), { hint: `${displayPath(point)} is a mount point.` });
  try {
    yield* removeTree({ parent, name }, { shown: displayPath(real) });
  } catch {
    // A copy of a tree in which folders may not be written to.
    yield* unlock(parent, name, displayPath(real));
    yield* removeTree({ parent, name }, { shown: displayPath(real) });
  }
  return true;
}

/** Lets the owner into all folders. */
function* unlock(parent: Descriptor, name: Bytes, shown: string): Work<void> {
  const folder = yield* open(parent.mount, inFolder(parent, name), FOLDER);
  try {
    yield* letIn(folder);
    yield* walkBelow(folder, { *leaf() {}, enter: ({ held }) => letIn(held) }, { shown });
  } finally {
    yield* close(folder);
  }
}

function* letIn(held: Descriptor): Work<void> {
  const folder = yield* open(held.mount, inFolder(held, "."), LISTED);
  try {
    yield* chmod(folder, 0o700);
  } finally {
    yield* close(folder);
  }
}
