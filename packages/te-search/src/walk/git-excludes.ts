import {
  close,
  hasCode,
  inFolder,
  open,
  type Descriptor,
  type Work,
  readRules,
  FOLDER,
  walk,
  type Scope,
} from "@llmc/te-path";
import { type Bytes, contains, normalizePath } from "@llmc/names";
import { isOutOfReach } from "./reach.js";

/** The .git/info/exclude of a repository whose top is held; of a linked worktree that of the repository, if it lies in the root. */
export function* excludesOf(
  scope: Scope,
  root: Bytes,
  top: { readonly folder: Descriptor; readonly real: Bytes },
  git: "file" | "folder" | "link" | "other",
): Work<Bytes | undefined> {
  try {
    if (git === "folder") return yield* excludesBelow(top.folder, [".git", "info"]);
    if (git !== "file") return undefined;
    const own = linkedTo(yield* readRules(top.folder, ".git"), "gitdir:", top.real);
    if (own === undefined || !contains(root, own)) return undefined;
    const common = yield* inside(scope, own, (folder) => readRules(folder, "commondir"));
    const shared = linkedTo(common, "", own) ?? own;
    if (!contains(root, shared)) return undefined;
    return yield* inside(scope, shared, (folder) => excludesBelow(folder, ["info"]));
  } catch (thrown) {
    if (isOutOfReach(thrown)) return undefined;
    throw thrown;
  }
}

function linkedTo(text: Bytes | undefined, mark: string, from: Bytes): Bytes | undefined {
  const [line] = text?.split("\n") ?? [];
  if (line === undefined || !line.startsWith(mark)) return undefined;
  const target = line.slice(mark.length).trim();
  if (target === "" || target.includes("\0")) return undefined;
  return normalizePath(target.startsWith("/") ? target : `${from}/${target}`);
}

function* inside<T>(scope: Scope, path: Bytes, work: (folder: Descriptor) => Work<T>): Work<T> {
  const { entry } = yield* walk(scope, { path, shown: path, folder: true });
  try {
    return yield* work(entry);
  } finally {
    yield* close(entry);
  }
}

function* excludesBelow(folder: Descriptor, [name, ...rest]: readonly Bytes[]): Work<Bytes | undefined> {
  if (name === undefined) return yield* readRules(folder, "exclude");
  let next: Descriptor;
  try {
    next = yield* open(folder.mount, inFolder(folder, name), FOLDER);
  } catch (thrown) {
    if (hasCode(thrown, "ENOENT")) return undefined;
    throw thrown;
  }
  try {
    return yield* excludesBelow(next, rest);
  } finally {
    yield* close(next);
  }
}
