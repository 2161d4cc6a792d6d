import { type Bytes } from "@llmc/names";
import { READ_NAMED_FOLDER } from "../kernel/flags.js";
import { LISTED_AT_ONCE, type Listed } from "../kernel/listing.js";
import type { Looked, Unseen } from "../kernel/lstat-many.js";
import { close, inFolder, listAtOnce, lstat, lstatMany, open } from "../kernel/syscalls.js";
import type { Descriptor, Stat, Work } from "../kernel/syscalls.js";
import { FOLDER, type Root } from "../scope/root.js";
import type { Scope } from "../scope/scope.js";
import { tolerated } from "./tolerated.js";

/** Most descriptors open at a time, however many folders are visited. */
const MAX_HELD = 128;
/** Bytes of the longest path that the kernel takes, so no mount can guard a longer path. */
const MAX_PATH = 4095;

/** Facts of which at least one differs after a folder has changed. */
export type FolderStat = Pick<Stat, "dev" | "ino" | "mode" | "ctimeNs">;

/** Runs `work` with folders that are closed when it ends. */
export function* withFolders<T>(scope: Scope, work: (folders: OpenFolders) => Work<T>): Work<T> {
  const folders = new OpenFolders(scope);
  try {
    return yield* work(folders);
  } finally {
    yield* folders.close();
  }
}

/**
 * Opens folders of the roots by their real path, by descriptor from the root on and never through a symlink, so a path
 * through a symlink or out of the roots is not found. Recent folders stay open for the next lookups.
 */
export class OpenFolders {
  readonly #scope: Scope;
  readonly #roots: ReadonlyMap<Bytes, Root>;
  /** Open folders by real path, the least recently used first. */
  readonly #held = new Map<Bytes, Descriptor>();

  constructor(scope: Scope) {
    this.#scope = scope;
    // A root that was never opened has no real path yet, so nothing in it is known either.
    const opened = scope.roots.filter((root) => root.isResolved);
    this.#roots = new Map(opened.map((root) => [root.real, root]));
  }

  /** Returns undefined if nothing in the roots has that path. */
  lstat(path: Bytes): Work<Stat | undefined> {
    return tolerated(this.#lstat(path));
  }

  /** Calls lstat on siblings in one folder, with few system calls if all are local. */
  *lstatSiblings(paths: readonly Bytes[]): Work<ReadonlyMap<Bytes, FolderStat>> {
    const found = new Map<Bytes, FolderStat>();
    for (let at = 0; at < paths.length; at += LISTED_AT_ONCE) {
      const some = paths.slice(at, at + LISTED_AT_ONCE);
      const looked = yield* tolerated(this.#lstatMany(some));
      for (const [index, path] of some.entries()) {
        const one = looked?.[index];
        // A single lstat repeats the error, which is thrown or tolerated.
        const stat = looked === undefined || (one && "code" in one) ? yield* this.lstat(path) : one?.stat;
        if (stat !== undefined) found.set(path, stat);
      }
    }
    return found;
  }

  /** Opens a folder for `work` and closes it. */
  read<T>(path: Bytes, work: (folder: Descriptor) => Work<T>): Work<T | undefined> {
    return tolerated(this.#read(path, work));
  }

  list(path: Bytes): Work<readonly Listed[] | undefined> {
    return this.read(path, listAtOnce);
  }

  /** Keeps the folder open, so that later calls for the folder and its names mean this folder. */
  *keep(path: Bytes): Work<boolean> {
    return (yield* tolerated(this.#enter(path))) !== undefined;
  }

  *close(): Work<void> {
    for (const path of [...this.#held.keys()].toReversed()) yield* this.#release(path);
  }

  *#lstat(path: Bytes): Work<Stat | undefined> {
    const entry = yield* this.#find(path);
    return entry === undefined ? undefined : yield* lstat(this.#mountOf(path), entry);
  }

  /** Returns undefined if a single call cannot answer for all paths. */
  *#lstatMany(paths: readonly Bytes[]): Work<readonly (Looked | Unseen | undefined)[] | undefined> {
    if (paths.length < 2 || paths.some((path) => this.#roots.has(path) || this.#mountOf(path) !== null))
      return undefined;
    const above = yield* this.#enter(parentOf(paths[0] as Bytes));
    return above === undefined ? undefined : yield* lstatMany(above, paths.map(nameOf));
  }

  *#read<T>(path: Bytes, work: (folder: Descriptor) => Work<T>): Work<T | undefined> {
    const entry = yield* this.#find(path);
    if (entry === undefined) return undefined;
    const folder = yield* open(this.#mountOf(path), entry, READ_NAMED_FOLDER);
    try {
      return yield* work(folder);
    } finally {
      yield* close(folder);
    }
  }

  /** Returns a path to the entry through an open folder: its own descriptor if there is one, else its parent's. */
  *#find(path: Bytes): Work<Bytes | undefined> {
    if (this.#held.has(path) || this.#roots.has(path)) {
      const itself = yield* this.#enter(path);
      return itself === undefined ? undefined : inFolder(itself, ".");
    }
    const above = yield* this.#enter(parentOf(path));
    return above === undefined ? undefined : inFolder(above, nameOf(path));
  }

  *#enter(path: Bytes): Work<Descriptor | undefined> {
    if (path.length > MAX_PATH) return undefined;
    const missing: Bytes[] = [];
    let at = path;
    while (!this.#held.has(at) && !this.#roots.has(at)) {
      if (at === "/") return undefined;
      missing.push(at);
      at = parentOf(at);
    }
    let folder = this.#used(at) ?? (yield* this.#enterRoot(at));
    for (const next of missing.toReversed()) {
      folder = yield* open(this.#mountOf(next), inFolder(folder, nameOf(next)), FOLDER);
      yield* this.#hold(next, folder);
    }
    return folder;
  }

  *#enterRoot(real: Bytes): Work<Descriptor> {
    const root = this.#roots.get(real) as Root;
    const { folder } = yield* root.enter(this.#mountOf(real));
    yield* this.#hold(real, folder);
    return folder;
  }

  #used(path: Bytes): Descriptor | undefined {
    const folder = this.#held.get(path);
    if (folder === undefined) return undefined;
    this.#held.delete(path);
    this.#held.set(path, folder);
    return folder;
  }

  *#hold(path: Bytes, folder: Descriptor): Work<void> {
    this.#held.set(path, folder);
    const [oldest] = this.#held.keys();
    if (this.#held.size > MAX_HELD && oldest !== undefined) yield* this.#release(oldest);
  }

  *#release(path: Bytes): Work<void> {
    const folder = this.#held.get(path) as Descriptor;
    this.#held.delete(path);
    yield* close(folder);
  }

  #mountOf(path: Bytes): Bytes | null {
    return this.#scope.mounts.network(path);
  }
}

export function parentOf(path: Bytes): Bytes {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

export function nameOf(path: Bytes): Bytes {
  return path.slice(path.lastIndexOf("/") + 1);
}
