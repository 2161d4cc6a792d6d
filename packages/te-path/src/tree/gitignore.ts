import { constants } from "node:fs";
import { OpsError } from "@llmc/errors";
import {
  rulesIn,
  type CompiledIgnore,
  NOTHING_IGNORED,
  type IgnoreStack,
  type RuleRoom,
  type Bytes,
  displayPath,
} from "@llmc/names";
import { kindOf } from "../kernel/kind.js";
import { isFileError } from "../kernel/is-file-error.js";
import { close, fill, fstat, hasCode, inFolder, lstatMany, open } from "../kernel/syscalls.js";
import type { Descriptor, Work } from "../kernel/syscalls.js";
import { walk } from "../scope/walk.js";
import { type Scope } from "../scope/scope.js";

const FILE = ".gitignore";
const MAX_BYTES = 1024 * 1024;
// NONBLOCK: a FIFO that is put there meanwhile must not make us wait.
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The rules that are in force in a folder, and the way to it from the folder that they count from. */
export interface Ignoring {
  readonly rules: IgnoreStack;
  readonly way: Bytes;
  /** Those of this folder alone, to be given back. */
  readonly own?: CompiledIgnore;
}

/** What is in force in a folder that is held: the rules above it, and its own. */
export function* ignoringIn(room: RuleRoom, folder: Descriptor, above: Ignoring, name: Bytes): Work<Ignoring> {
  return yield* withOwn(room, folder, { rules: above.rules, way: below(above.way, name) });
}

/** What is in force in the listed folder: the rules of all folders from the top of its repository on. */
export function* ignoringAt(room: RuleRoom, scope: Scope, real: Bytes): Work<Ignoring> {
  const folders = yield* repositoryAround(scope, real);
  const top = folders[0] as Bytes;
  let ignoring: Ignoring = { rules: NOTHING_IGNORED, way: "" };
  for (const path of folders) {
    const way = path === top ? "" : path.slice(top === "/" ? 1 : top.length + 1);
    ignoring =
      (yield* inside(scope, path, (folder) => withOwn(room, folder, { rules: ignoring.rules, way }))) ?? ignoring;
  }
  return ignoring;
}

/** From the top of the repository down to the folder; without a repository, or with its top out of sight, only that. */
function* repositoryAround(scope: Scope, real: Bytes): Work<Bytes[]> {
  const folders: Bytes[] = [];
  for (let at = real; ; at = at.slice(0, at.lastIndexOf("/")) || "/") {
    folders.unshift(at);
    const found = yield* inside(scope, at, (folder) => lstatMany(folder, [".git"]));
    if (found?.[0] !== undefined) return folders;
    if (found === undefined || at === "/") return [real];
  }
}

/** Works in a folder; undefined where it may not be asked for. */
function* inside<T>(scope: Scope, path: Bytes, work: (folder: Descriptor) => Work<T>): Work<T | undefined> {
  let folder: Descriptor | undefined;
  try {
    folder = (yield* walk(scope, { path, shown: displayPath(path), folder: true })).entry;
    return yield* work(folder);
  } catch (thrown) {
    if (isShut(thrown)) return undefined;
    throw thrown;
  } finally {
    if (folder !== undefined) yield* close(folder);
  }
}

function isShut(thrown: unknown): boolean {
  return OpsError.is(thrown) ? thrown.code !== "TIMEOUT" : hasCode(thrown, "EACCES", "EPERM", "ENOENT", "ENOTDIR");
}

function* withOwn(room: RuleRoom, folder: Descriptor, ignoring: Ignoring): Work<Ignoring> {
  const text = yield* textIn(folder);
  const own = text === undefined ? undefined : room.take(text);
  if (own === undefined) return ignoring;
  const rules = ignoring.rules.with(rulesIn(own, ignoring.way));
  if (rules.skipped - ignoring.rules.skipped === own.skipped) return { ...ignoring, rules, own };
  // More than a path can be held against.
  room.skipped += own.taken;
  room.giveBack(own);
  return { ...ignoring, rules };
}

/** What git does not read either: a link, anything that is no file, what is far too long for one. */
function* textIn(folder: Descriptor): Work<Bytes | undefined> {
  const [found] = yield* lstatMany(folder, [FILE]);
  if (found === undefined || !("stat" in found) || kindOf(found.stat) !== "file") return undefined;
  return yield* readRules(folder, FILE);
}

/** Of what was a file when it was looked at. */
export function* readRules(folder: Descriptor, name: Bytes): Work<Bytes | undefined> {
  let file: Descriptor;
  try {
    file = yield* open(folder.mount, inFolder(folder, name), READ);
  } catch (thrown) {
    if (isFileError(thrown)) return undefined;
    throw thrown;
  }
  try {
    const stat = yield* fstat(file);
    if (kindOf(stat) !== "file" || stat.size > MAX_BYTES) return undefined;
    const text = Buffer.alloc(Number(stat.size));
    return text.toString("latin1", 0, yield* fill(file, text, 0));
  } catch (thrown) {
    if (isFileError(thrown)) return undefined;
    throw thrown;
  } finally {
    yield* close(file);
  }
}

/** A name, by the way to its folder. */
export function below(way: Bytes, name: Bytes): Bytes {
  return way === "" ? name : `${way}/${name}`;
}
