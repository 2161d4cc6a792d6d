import { NotFoundError } from "@llmc/errors";
import { kindOf, close, hasCode, type Work, walk, walkToTarget, type Target, type Scope } from "@llmc/te-path";
import { type Bytes, type RequestedPath, join, namesOf, displayPath, displayBelow } from "@llmc/names";

/** Where something goes that is moved to `asked`. */
export interface FinalTarget {
  readonly asked: RequestedPath;
  /** What was asked for is a folder, and it goes into that. */
  readonly into: boolean;
  /** A folder that must be there first. */
  readonly missing?: RequestedPath;
}

export interface Destination extends RequestedPath {
  /** Requires the target to be a folder. */
  readonly isFolder: boolean;
}

/** Onto a folder, or a link to one, means into it; that is decided here, and the name in it is the source's own. */
export function* finalTarget(scope: Scope, source: RequestedPath, target: Destination): Work<FinalTarget> {
  const { name, isFolder } = yield* sourceFacts(scope, source);
  const folder = yield* folderAt(scope, target);
  if (folder !== undefined) {
    const shown = displayBelow(target.shown, [name]);
    return { asked: { shown, path: join(folder, name), folder: false }, into: true };
  }
  const direct = { asked: { ...target, folder: false }, into: false };
  if (target.isFolder || (target.folder && !isFolder)) return { ...direct, missing: target };
  const parent = parentOf(target);
  return (yield* isThere(scope, target)) ? direct : { ...direct, missing: parent };
}

function* sourceFacts(scope: Scope, asked: RequestedPath): Work<{ readonly name: Bytes; readonly isFolder: boolean }> {
  const target = yield* walkToTarget(scope, asked, { follow: false });
  yield* close(target.parent);
  if (target.found === undefined) throw new NotFoundError(asked.shown);
  return { name: nameOf(target), isFolder: kindOf(target.found) === "folder" };
}

function nameOf({ name, real }: Target): Bytes {
  return name === "." ? (namesOf(real).at(-1) ?? "root") : name;
}

/** The real path of the folder that is there, if one is. */
function* folderAt(scope: Scope, asked: RequestedPath): Work<Bytes | undefined> {
  try {
    const { entry, stat, real } = yield* walk(scope, asked);
    yield* close(entry);
    return kindOf(stat) === "folder" ? real : undefined;
  } catch (thrown) {
    if (hasCode(thrown, "ENOENT")) return undefined;
    throw thrown;
  }
}

/** Whether the folder is there in which the name would be. */
function* isThere(scope: Scope, asked: RequestedPath): Work<boolean> {
  try {
    yield* close((yield* walkToTarget(scope, { ...asked, folder: false }, { follow: false })).parent);
    return true;
  } catch (thrown) {
    if (hasCode(thrown, "ENOENT")) return false;
    throw thrown;
  }
}

function parentOf({ shown, path, typed = false }: RequestedPath): RequestedPath {
  const parent = path.slice(0, path.lastIndexOf("/")) || "/";
  return { shown: shown.slice(0, shown.lastIndexOf("/")) || displayPath(parent), path: parent, folder: true, typed };
}
