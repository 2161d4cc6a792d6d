import {
  type OpenScope,
  FDS,
  kindOf,
  isOfTheFile,
  PEEKED_BYTES,
  textIn,
  type FileText,
  type Peeked,
  close,
  fill,
  fstat,
  hasCode,
  inFolder,
  open,
  peekAll,
  type Descriptor,
  type Steps,
  type Tree,
  READ_FILE,
  READ_NAME,
} from "@llmc/te-path";
import { type Bytes, join } from "@llmc/names";
import { type Ground } from "../ground/ground.js";
import { enterGround } from "../ground/find-ground.js";
import { byFolder, isName, type SecondLookOptions } from "./look-at-names.js";
import { isOutOfReach, Reach } from "./reach.js";

/** One trip through the driver for so many. */
const FILES_AT_ONCE = 64;
/** What these files hold; undefined: gone, closed or out of reach. In the order of the question. */
export async function lookIntoFiles(
  scope: OpenScope,
  ground: Ground,
  ways: readonly Bytes[],
  { signal }: SecondLookOptions = {},
): Promise<(FileText | undefined)[]> {
  const reach = new Reach(scope, ground);
  const answers: (FileText | undefined)[] = ways.map(() => undefined);
  try {
    for (const [folder, wanted] of byFolder(ways)) {
      for (let at = 0; at < wanted.length; at += FILES_AT_ONCE) {
        const some = wanted.slice(at, at + FILES_AT_ONCE);
        const names = some.map(({ name }) => name);
        const texts = await scope.run(lookInto(scope, ground, reach, folder, names), ground.path, signal);
        some.forEach(({ index }, nth) => (answers[index] = texts[nth]));
      }
    }
    return answers;
  } finally {
    await scope.run(reach.end(), ground.path).catch(() => {});
  }
}

function* lookInto(
  tree: Tree,
  ground: Ground,
  reach: Reach,
  folder: Bytes | null,
  names: readonly Bytes[],
): Steps<readonly (FileText | undefined)[]> {
  if (folder === null) {
    const text = yield* tolerant(textOf(tree, ground, openGround(tree, ground)));
    return names.map(() => text);
  }
  const at = yield* reach.folder(folder);
  if (at === undefined) return [];
  // The folder itself is no file.
  const asked = names.map((name) => (isName(name) && !reach.isShut(at.real, name) ? name : "."));
  const texts: (FileText | undefined)[] = [];
  if (at.folder.mount === null && tree.mounts.networkIn(at.real).size === 0) {
    for (const each of yield* peekAll(at.folder, asked)) texts.push(yield* unlessClosed(tree, ground, each));
    return texts;
  }
  for (const name of asked) {
    const mount = tree.mounts.network(join(at.real, name));
    texts.push(yield* tolerant(textOf(tree, ground, open(mount, inFolder(at.folder, name), READ_NAME))));
  }
  return texts;
}

function* unlessClosed(
  tree: Tree,
  ground: Ground,
  file: Peeked | "unreadable" | undefined,
): Steps<FileText | undefined> {
  if (file === undefined || file === "unreadable") return file;
  try {
    yield* tree.closed.refuseFile(file, null, ground.path);
    return file.text;
  } catch (thrown) {
    if (isOutOfReach(thrown)) return undefined;
    throw thrown;
  }
}

function* tolerant(steps: Steps<FileText | undefined>): Steps<FileText | undefined> {
  try {
    return yield* steps;
  } catch (thrown) {
    if (hasCode(thrown, "EACCES", "EPERM")) return "unreadable";
    if (isOutOfReach(thrown)) return undefined;
    if (isOfTheFile(thrown)) return "unreadable";
    throw thrown;
  }
}

/** By a call for each step: what hangs on a network mount is given up alone. */
function* textOf(tree: Tree, ground: Ground, opened: Steps<Descriptor>): Steps<FileText | undefined> {
  const file = yield* opened;
  try {
    const stat = yield* fstat(file);
    if (kindOf(stat) !== "file") return undefined;
    yield* tree.closed.refuseFound(stat, file.mount, ground.path);
    const room = Buffer.allocUnsafe(PEEKED_BYTES);
    return textIn(room.subarray(0, yield* fill(file, room, 0)));
  } finally {
    yield* close(file);
  }
}

function* openGround(tree: Tree, ground: Ground): Steps<Descriptor> {
  const { entry } = yield* enterGround(tree, ground);
  try {
    return yield* open(entry.mount, `${FDS}/${entry.fd}`, READ_FILE);
  } finally {
    yield* close(entry);
  }
}
