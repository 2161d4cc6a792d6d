import { OpsError } from "@llmc/errors";
import { type Bytes, parseArgument, type Asked, join, settle, toBytes } from "@llmc/names";
import { driveNow, NeedsNetworkError } from "../kernel/drive.js";
import type { Mounts } from "../kernel/mounts.js";
import { close, lstat, open, type Descriptor, type Steps } from "../kernel/syscalls.js";
import { fromErrno } from "../kernel/errno.js";
import { Closed } from "./closed.js";
import { passwdHomes } from "./homes.js";
import { FOLDER, Root } from "./root.js";
import { walk } from "./walk.js";
import { type Tree } from "./scope.js";

export interface PlantOptions {
  readonly roots: readonly string[];
  readonly home: string;
  readonly privatePaths?: readonly string[];
  /** Those of the folders below private paths in which users' own files are kept for undo. */
  readonly keptIn?: readonly string[];
  readonly deny?: readonly string[];
  readonly homes?: readonly string[];
}

export interface Planted {
  readonly tree: Tree;
  /** Every home by each of its spellings. */
  readonly homes: readonly Bytes[];
  readonly warnings: readonly string[];
  /** Lets go of everything that is held open. */
  readonly uproot: () => Steps<void>;
}

/** Opens the roots and finds out, once, what stays closed inside them. */
export function plantTree(options: PlantOptions, mounts: Mounts): Planted {
  const { home } = options;
  const slash = new Root("/", openSlash);
  const whole = (closed: Closed): Tree => ({ roots: [slash], mounts, closed });
  const bare = whole(new Closed({ privatePaths: [], denied: new Map() }, mounts));
  const privatePaths = (options.privatePaths ?? []).flatMap((path) => spellings(bare, absolute(path, home)));
  const keptIn = (options.keptIn ?? []).flatMap((path) => spellings(bare, absolute(path, home)));
  const homes = realHomes(bare, [home, ...(options.homes ?? passwdHomes())]);
  const denied = deniedPaths(bare, options.deny ?? [], homes);
  // A root may lie on credentials, by the operator's choice; in our own state it may not.
  const found = openRoots(whole(new Closed({ privatePaths, denied: new Map() }, mounts)), options);
  return {
    tree: { roots: found.roots, mounts, closed: new Closed({ privatePaths, keptIn, denied }, mounts) },
    warnings: found.warnings,
    homes: [...homes].flatMap(([path, real]) => (real === undefined ? [path] : [path, real])),
    *uproot() {
      for (const root of [slash, ...found.roots]) yield* root.release();
    },
  };
}

function openRoots(tree: Tree, { roots: paths, home }: PlantOptions): { roots: Root[]; warnings: string[] } {
  const roots: Root[] = [];
  const warnings: string[] = [];
  for (const path of new Set(paths.map((each) => absolute(each, home)))) {
    const asked: Asked = { shown: path, path: toBytes(path), folder: true, typed: true };
    const root = new Root(asked.path, () => walk(tree, asked));
    const problem = problemOf(root.resolve(), path);
    if (problem === undefined) roots.push(root);
    else warnings.push(`The root ${path} is skipped: ${problem}`);
  }
  return { roots, warnings };
}

/** A root on a network mount is opened when it is first needed: no start waits for a server. */
function problemOf(steps: Steps<void>, path: string): string | undefined {
  try {
    driveNow(steps);
  } catch (thrown) {
    if (thrown instanceof NeedsNetworkError) return undefined;
    const known = fromErrno(thrown, path);
    return known instanceof Error ? known.message : "it cannot be opened";
  }
  return undefined;
}

/** The path itself and where it really lies. What does not exist yet lies in the real folder of its name. */
function spellings(tree: Tree, path: string): Bytes[] {
  const real = realPath(tree, toBytes(path));
  return real === undefined ? [toBytes(path)] : [toBytes(path), real];
}

function realPath(tree: Tree, path: Bytes): Bytes | undefined {
  const missing: Bytes[] = [];
  for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    try {
      const { real, entry } = driveNow(walk(tree, { shown: at, path: at, folder: false }));
      driveNow(close(entry));
      return join(real, ...missing);
    } catch (thrown) {
      const known = fromErrno(thrown, at);
      if (!OpsError.is(known) || known.code !== "NOT_FOUND") return undefined;
      missing.unshift(at.slice(at.lastIndexOf("/") + 1));
    }
  }
  return undefined;
}

/** Where each home really lies. Most accounts of a machine are not people: they have none, and nothing more is asked. */
function realHomes(tree: Tree, homes: readonly string[]): Map<Bytes, Bytes | undefined> {
  const paths = new Set(homes.map((each) => toBytes(absolute(each, "/"))));
  return new Map([...paths].map((home) => [home, isLocalAndThere(tree, home) ? realPath(tree, home) : undefined]));
}

/** At the top of each home by both of its spellings, and where what is there now really lies. */
function deniedPaths(
  tree: Tree,
  names: readonly string[],
  homes: ReadonlyMap<Bytes, Bytes | undefined>,
): Map<Bytes, string> {
  const denied = new Map<Bytes, string>();
  for (const [home, real] of homes) {
    for (const name of names) {
      for (const folder of new Set([home, real ?? home])) denied.set(settle(`${folder}/${toBytes(name)}`), name);
      const path = settle(`${real}/${toBytes(name)}`);
      if (real !== undefined && isLocalAndThere(tree, path)) denied.set(realPath(tree, path) ?? path, name);
    }
  }
  return denied;
}

/** Asked hundreds of times at start, mostly in vain. */
function isLocalAndThere({ mounts }: Tree, path: Bytes): boolean {
  if (mounts.network(path) !== null) return false;
  try {
    return driveNow(lstat(null, path)) !== undefined;
  } catch {
    return false;
  }
}

function absolute(path: string, home: string): string {
  if (!path.startsWith("/") && path !== "~" && !path.startsWith("~/"))
    throw new TypeError(`not an absolute path: ${path}`);
  return parseArgument(path, "/", home).shown;
}

function* openSlash(): Steps<{ entry: Descriptor; real: Bytes }> {
  return { entry: yield* open(null, "/", FOLDER), real: "/" };
}
