import { NotFoundError } from "@llmc/errors";
import { kindOf, close, hasCode, type Steps, walk, walkToSpot, type Spot, type Tree } from "@llmc/te-path";
import { type Bytes, type Asked, join, namesOf, show, showBelow } from "@llmc/names";

/** Where something goes that is moved to `asked`. */
export interface FinalTarget {
  readonly asked: Asked;
  /** What was asked for is a folder, and it goes into that. */
  readonly into: boolean;
  /** A folder that must be there first. */
  readonly missing?: Asked;
}

/** Onto a folder, or a link to one, means into it; that is decided here, and the name in it is the source's own. */
export function* finalTarget(tree: Tree, source: Asked, target: Asked): Steps<FinalTarget> {
  const { name, isFolder } = yield* sourceFacts(tree, source);
  const folder = yield* folderAt(tree, target);
  if (folder !== undefined) {
    const shown = showBelow(target.shown, [name]);
    return { asked: { shown, path: join(folder, name), folder: false }, into: true };
  }
  const direct = { asked: { ...target, folder: false }, into: false };
  if (target.folder && !isFolder) return { ...direct, missing: target };
  const parent = parentOf(target);
  return (yield* isThere(tree, target)) ? direct : { ...direct, missing: parent };
}

function* sourceFacts(tree: Tree, asked: Asked): Steps<{ readonly name: Bytes; readonly isFolder: boolean }> {
  const spot = yield* walkToSpot(tree, asked, { follow: false });
  yield* close(spot.parent);
  if (spot.found === undefined) throw new NotFoundError(asked.shown);
  return { name: nameOf(spot), isFolder: kindOf(spot.found) === "folder" };
}

function nameOf({ name, real }: Spot): Bytes {
  return name === "." ? (namesOf(real).at(-1) ?? "root") : name;
}

/** The real path of the folder that is there, if one is. */
function* folderAt(tree: Tree, asked: Asked): Steps<Bytes | undefined> {
  try {
    const { entry, stat, real } = yield* walk(tree, asked);
    yield* close(entry);
    return kindOf(stat) === "folder" ? real : undefined;
  } catch (thrown) {
    if (hasCode(thrown, "ENOENT")) return undefined;
    throw thrown;
  }
}

/** Whether the folder is there in which the name would be. */
function* isThere(tree: Tree, asked: Asked): Steps<boolean> {
  try {
    yield* close((yield* walkToSpot(tree, { ...asked, folder: false }, { follow: false })).parent);
    return true;
  } catch (thrown) {
    if (hasCode(thrown, "ENOENT")) return false;
    throw thrown;
  }
}

function parentOf({ shown, path, typed = false }: Asked): Asked {
  const parent = path.slice(0, path.lastIndexOf("/")) || "/";
  return { shown: shown.slice(0, shown.lastIndexOf("/")) || show(parent), path: parent, folder: true, typed };
}
