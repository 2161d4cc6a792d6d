import { AlreadyExistsError, NotADirectoryError, OpsError } from "@llmc/errors";
import { type Undo, withLockedTarget, type ChangeOptions, type UndoNote, type Change } from "@llmc/te-undo";
import { kindOf, inFolder, mkdir, steadily, type Work, type Target, syncFolder } from "@llmc/te-path";
import { type RequestedPath, toBytes } from "@llmc/names";

export interface MakeFoldersOptions extends ChangeOptions {
  /** Without it a folder that is there already is an error. */
  readonly existOk?: boolean | undefined;
}

export interface MadeFolders extends UndoNote {
  readonly path: string;
  /** The folders that were not there, outermost first. */
  readonly created: readonly string[];
}

/** The folder and those that lead to it. */
export async function makeFolders(undo: Undo, path: string, options: MakeFoldersOptions): Promise<MadeFolders> {
  const asked = undo.scope.requested(path, options.cwd);
  const { owner, session } = options;
  const change = undo.begin({ owner, session, kind: "mkdirs", paths: [asked.shown] });
  try {
    const created = await makeAll(undo, asked, change, options.signal);
    if (created.length === 0 && options.existOk === false) {
      throw new AlreadyExistsError(asked.shown, { id: "accept-existing" });
    }
    return { path: asked.shown, created, ...(await undo.scope.change(change.finish(), asked.shown)) };
  } catch (thrown) {
    await undo.scope.change(change.rollBack(), asked.shown);
    throw thrown;
  }
}

/** Makes the folders that lead to a path, and returns those that were missing, outermost first. */
export async function makeParents(
  undo: Undo,
  asked: RequestedPath,
  change: Change,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const parent = parentOf(asked);
  return parent === undefined ? [] : await makeAll(undo, parent, change, signal);
}

/** From the inside out until one is there; then from the outside in. */
async function makeAll(undo: Undo, asked: RequestedPath, change: Change, signal?: AbortSignal): Promise<string[]> {
  const missing: RequestedPath[] = [];
  const created: string[] = [];
  let next: RequestedPath | undefined = asked;
  while (next !== undefined) {
    const made = await makeOne(undo, next, change, signal);
    if (made === "no parent") missing.push(next);
    else if (made) created.push(next.shown);
    next = made === "no parent" ? parentOf(next) : missing.pop();
  }
  return created;
}

/** Whether it was made; false when it was there. */
async function makeOne(
  undo: Undo,
  asked: RequestedPath,
  change: Change,
  signal: AbortSignal | undefined,
): Promise<boolean | "no parent"> {
  try {
    return await withLockedTarget(undo, asked, { follow: true, signal }, (target) => makeAt(undo, target, change));
  } catch (thrown) {
    if (OpsError.is(thrown) && thrown.code === "NOT_FOUND" && parentOf(asked) !== undefined) return "no parent";
    throw thrown;
  }
}

function* makeAt(undo: Undo, target: Target, change: Change): Work<boolean> {
  const { parent, name, found, real, shown } = target;
  if (found !== undefined) {
    if (kindOf(found) === "folder") return false;
    throw new NotADirectoryError(shown, "Choose another name, or move that file away first.");
  }
  undo.scope.execConfig.refuse(real, shown, true);
  change.note({ did: "made folder", path: real });
  try {
    yield* mkdir(parent.mount, inFolder(parent, name));
  } catch (thrown) {
    change.strike();
    throw thrown;
  }
  yield* steadily(syncFolder(parent));
  return true;
}

function parentOf({ shown, exact = false }: RequestedPath): RequestedPath | undefined {
  const parent = shown.slice(0, shown.lastIndexOf("/"));
  return parent === "" ? undefined : { shown: parent, path: toBytes(parent), folder: true, typed: true, exact };
}
