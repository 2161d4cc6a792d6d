import { OpsError } from "@llmc/errors";
import { type Bytes, parseRequestedPath, type RequestedPath, join, normalizePath, toBytes } from "@llmc/names";
import { driveNow, NeedsNetworkError } from "../kernel/drive.js";
import type { Mounts } from "../kernel/mounts.js";
import { close, lstat, open, type Descriptor, type Work } from "../kernel/syscalls.js";
import { fromErrno } from "../kernel/errno.js";
import { ForbiddenPaths } from "./forbidden-paths.js";
import { passwdHomes } from "./homes.js";
import { FOLDER, Root } from "./root.js";
import { walk } from "./walk.js";
import type { Scope, SkippedRoot } from "./scope.js";

export interface RootsOptions {
  readonly roots: readonly string[];
  readonly home: string;
  readonly privatePaths?: readonly string[];
  /** Those of the folders below private paths in which users' own files are kept for undo. */
  readonly keptIn?: readonly string[];
  readonly deny?: readonly string[];
  readonly homes?: readonly string[];
}

export interface OpenedRoots {
  readonly scope: Scope;
  /** The whole machine as one root in which nothing but the kernel's file systems is forbidden. */
  readonly machine: Scope;
  /** Home folders, each in all its spellings. */
  readonly homes: readonly Bytes[];
  readonly skipped: readonly SkippedRoot[];
  /** Lets go of everything that is held open. */
  readonly closeRoots: () => Work<void>;
}

/** Opens the roots and finds out, once, what stays closed inside them. */
export function openRoots(options: RootsOptions, mounts: Mounts): OpenedRoots {
  const { home } = options;
  const slash = new Root("/", openSlash);
  const whole = (forbidden: ForbiddenPaths): Scope => ({ roots: [slash], mounts, forbidden });
  const bare = whole(new ForbiddenPaths({ privatePaths: [], denied: new Map() }, mounts));
  const privatePaths = (options.privatePaths ?? []).flatMap((path) => spellings(bare, absolute(path, home)));
  const keptIn = (options.keptIn ?? []).flatMap((path) => spellings(bare, absolute(path, home)));
  const homes = realHomes(bare, [home, ...(options.homes ?? passwdHomes())]);
  const denied = deniedPaths(bare, options.deny ?? [], homes);
  // A root may lie on credentials, by the operator's choice; in our own state it may not.
  const found = openEach(whole(new ForbiddenPaths({ privatePaths, denied: new Map() }, mounts)), options);
  return {
    scope: { roots: found.roots, mounts, forbidden: new ForbiddenPaths({ privatePaths, keptIn, denied }, mounts) },
    machine: bare,
    skipped: found.skipped,
    homes: [...homes].flatMap(([path, real]) => (real === undefined ? [path] : [path, real])),
    *closeRoots() {
      for (const root of [slash, ...found.roots]) yield* root.release();
    },
  };
}

function openEach(scope: Scope, { roots: paths, home }: RootsOptions): { roots: Root[]; skipped: SkippedRoot[] } {
  const roots: Root[] = [];
  const skipped: SkippedRoot[] = [];
  for (const path of new Set(paths.map((each) => absolute(each, home)))) {
    const asked: RequestedPath = { shown: path, path: toBytes(path), folder: true, typed: true };
    const root = new Root(asked.path, () => walk(scope, asked));
    const why = problemOf(root.resolve(), path);
    if (why === undefined) roots.push(root);
    else skipped.push({ path, why });
  }
  return { roots, skipped };
}

/** A root on a network mount is opened when it is first needed: no start waits for a server. */
function problemOf(work: Work<void>, path: string): string | undefined {
  try {
    driveNow(work);
  } catch (thrown) {
    if (thrown instanceof NeedsNetworkError) return undefined;
    const known = fromErrno(thrown, path);
    const code = OpsError.is(known) ? known.code : undefined;
    if (code === "NOT_FOUND") return "no such folder";
    if (code === "NOT_A_DIRECTORY") return "not a folder";
    return known instanceof Error ? known.message : "it cannot be opened";
  }
  return undefined;
}

/** The path itself and where it really lies. What does not exist yet lies in the real folder of its name. */
function spellings(scope: Scope, path: string): Bytes[] {
  const real = realPath(scope, toBytes(path));
  return real === undefined ? [toBytes(path)] : [toBytes(path), real];
}

function realPath(scope: Scope, path: Bytes): Bytes | undefined {
  const missing: Bytes[] = [];
  for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    try {
      const { real, entry } = driveNow(walk(scope, { shown: at, path: at, folder: false }));
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
function realHomes(scope: Scope, homes: readonly string[]): Map<Bytes, Bytes | undefined> {
  const paths = new Set(homes.map((each) => toBytes(absolute(each, "/"))));
  return new Map([...paths].map((home) => [home, isLocalAndThere(scope, home) ? realPath(scope, home) : undefined]));
}

/** At the top of each home by both of its spellings, and where what is there now really lies. */
function deniedPaths(
  scope: Scope,
  names: readonly string[],
  homes: ReadonlyMap<Bytes, Bytes | undefined>,
): Map<Bytes, string> {
  const denied = new Map<Bytes, string>();
  for (const [home, real] of homes) {
    for (const name of names) {
      for (const folder of new Set([home, real ?? home])) denied.set(normalizePath(`${folder}/${toBytes(name)}`), name);
      const path = normalizePath(`${real}/${toBytes(name)}`);
      if (real !== undefined && isLocalAndThere(scope, path)) denied.set(realPath(scope, path) ?? path, name);
    }
  }
  return denied;
}

/** Asked hundreds of times at start, mostly in vain. */
function isLocalAndThere({ mounts }: Scope, path: Bytes): boolean {
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
  return parseRequestedPath(path, "/", home).shown;
}

function* openSlash(): Work<{ entry: Descriptor; real: Bytes }> {
  return { entry: yield* open(null, "/", FOLDER), real: "/" };
}
