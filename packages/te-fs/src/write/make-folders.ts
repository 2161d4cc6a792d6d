import { AlreadyExistsError, NotADirectoryError, OpsError } from "@llmc/errors";
import { type Undo, atSpot, type ChangeOptions, type UndoNote, type Change } from "@llmc/te-undo";
import { kindOf, inFolder, mkdir, steadily, type Steps, type Spot, syncFolder } from "@llmc/te-path";
import { type Asked, toBytes } from "@llmc/names";

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
  const asked = undo.scope.ask(path, options.cwd);
  const { owner, session } = options;
  const change = undo.begin({ owner, session, kind: "mkdirs", paths: [asked.shown] });
  try {
    const created = await makeAll(undo, asked, change, options.signal);
    if (created.length === 0 && options.existOk === false) {
      throw new AlreadyExistsError(asked.shown, "Leave out exist_ok: false if what is there will do.");
    }
    return { path: asked.shown, created, ...(await undo.scope.change(change.finish(), asked.shown)) };
  } catch (thrown) {
    await undo.scope.change(change.rollBack(), asked.shown);
    throw thrown;
  }
}

/** The folders that lead to a path, not the path itself. */
export async function makeParents(undo: Undo, asked: Asked, change: Change, signal?: AbortSignal): Promise<void> {
  const parent = parentOf(asked);
  if (parent !== undefined) await makeAll(undo, parent, change, signal);
}

/** From the inside out until one is there; then from the outside in. */
async function makeAll(undo: Undo, asked: Asked, change: Change, signal?: AbortSignal): Promise<string[]> {
  const missing: Asked[] = [];
  const created: string[] = [];
  let next: Asked | undefined = asked;
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
  asked: Asked,
  change: Change,
  signal: AbortSignal | undefined,
): Promise<boolean | "no parent"> {
  try {
    return await atSpot(undo, asked, { follow: true, signal }, (spot) => makeAt(undo, spot, change));
  } catch (thrown) {
    if (OpsError.is(thrown) && thrown.code === "NOT_FOUND" && parentOf(asked) !== undefined) return "no parent";
    throw thrown;
  }
}

function* makeAt(undo: Undo, spot: Spot, change: Change): Steps<boolean> {
  const { parent, name, found, real, shown } = spot;
  if (found !== undefined) {
    if (kindOf(found) === "folder") return false;
    throw new NotADirectoryError(shown, "Choose another name, or move that file away first.");
  }
  undo.scope.executed.refuse(real, shown, true);
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

function parentOf({ shown, exact = false }: Asked): Asked | undefined {
  const parent = shown.slice(0, shown.lastIndexOf("/"));
  return parent === "" ? undefined : { shown: parent, path: toBytes(parent), folder: true, typed: true, exact };
}
