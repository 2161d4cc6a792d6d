import {
  type OpenScope,
  PROC_FD,
  kindOf,
  isFileError,
  SNIFFED_BYTES,
  textIn,
  type FileText,
  type Sniffed,
  close,
  fill,
  fstat,
  hasCode,
  inFolder,
  open,
  sniffMany,
  type Descriptor,
  type Work,
  type Scope,
  READ_FILE,
  READ_NAME,
} from "@llmc/te-path";
import { type Bytes, join } from "@llmc/names";
import { type SearchRoot } from "../search-root/search-root.js";
import { enterSearchRoot } from "../search-root/find-search-root.js";
import { byFolder, isName, type SecondLookOptions } from "./look-at-names.js";
import { isOutOfReach, Reach } from "./reach.js";

/** One trip through the driver for so many. */
const FILES_AT_ONCE = 64;
/** What these files hold; undefined: gone, closed or out of reach. In the order of the question. */
export async function lookIntoFiles(
  scope: OpenScope,
  searchRoot: SearchRoot,
  ways: readonly Bytes[],
  { signal }: SecondLookOptions = {},
): Promise<(FileText | undefined)[]> {
  const reach = new Reach(scope, searchRoot);
  const answers: (FileText | undefined)[] = ways.map(() => undefined);
  try {
    for (const [folder, wanted] of byFolder(ways)) {
      for (let at = 0; at < wanted.length; at += FILES_AT_ONCE) {
        const some = wanted.slice(at, at + FILES_AT_ONCE);
        const names = some.map(({ name }) => name);
        const texts = await scope.run(lookInto(scope, searchRoot, reach, folder, names), searchRoot.path, signal);
        some.forEach(({ index }, nth) => (answers[index] = texts[nth]));
      }
    }
    return answers;
  } finally {
    await scope.run(reach.end(), searchRoot.path).catch(() => {});
  }
}

function* lookInto(
  scope: Scope,
  searchRoot: SearchRoot,
  reach: Reach,
  folder: Bytes | null,
  names: readonly Bytes[],
): Work<readonly (FileText | undefined)[]> {
  if (folder === null) {
    const text = yield* tolerant(textOf(scope, searchRoot, openGround(scope, searchRoot)));
    return names.map(() => text);
  }
  const at = yield* reach.folder(folder);
  if (at === undefined) return [];
  // The folder itself is no file.
  const asked = names.map((name) => (isName(name) && !reach.isForbidden(at.real, name) ? name : "."));
  const texts: (FileText | undefined)[] = [];
  if (at.folder.mount === null && scope.mounts.networkIn(at.real).size === 0) {
    for (const each of yield* sniffMany(at.folder, asked)) texts.push(yield* unlessClosed(scope, searchRoot, each));
    return texts;
  }
  for (const name of asked) {
    const mount = scope.mounts.network(join(at.real, name));
    texts.push(yield* tolerant(textOf(scope, searchRoot, open(mount, inFolder(at.folder, name), READ_NAME))));
  }
  return texts;
}

function* unlessClosed(
  scope: Scope,
  searchRoot: SearchRoot,
  file: Sniffed | "unreadable" | undefined,
): Work<FileText | undefined> {
  if (file === undefined || file === "unreadable") return file;
  try {
    yield* scope.forbidden.refuseFile(file, null, searchRoot.path);
    return file.text;
  } catch (thrown) {
    if (isOutOfReach(thrown)) return undefined;
    throw thrown;
  }
}

function* tolerant(work: Work<FileText | undefined>): Work<FileText | undefined> {
  try {
    return yield* work;
  } catch (thrown) {
    if (hasCode(thrown, "EACCES", "EPERM")) return "unreadable";
    if (isOutOfReach(thrown)) return undefined;
    if (isFileError(thrown)) return "unreadable";
    throw thrown;
  }
}

/** By a call for each step: what hangs on a network mount is given up alone. */
function* textOf(scope: Scope, searchRoot: SearchRoot, opened: Work<Descriptor>): Work<FileText | undefined> {
  const file = yield* opened;
  try {
    const stat = yield* fstat(file);
    if (kindOf(stat) !== "file") return undefined;
    yield* scope.forbidden.refuseFound(stat, file.mount, searchRoot.path);
    const room = Buffer.allocUnsafe(SNIFFED_BYTES);
    return textIn(room.subarray(0, yield* fill(file, room, 0)));
  } finally {
    yield* close(file);
  }
}

function* openGround(scope: Scope, searchRoot: SearchRoot): Work<Descriptor> {
  const { entry } = yield* enterSearchRoot(scope, searchRoot);
  try {
    return yield* open(entry.mount, `${PROC_FD}/${entry.fd}`, READ_FILE);
  } finally {
    yield* close(entry);
  }
}
