import { InvalidPathError, type Advice } from "@llmc/errors";
import { type Bytes, contains, join, namesOf } from "@llmc/names";
import { kindOf } from "../kernel/kind.js";
import type { Mounts } from "../kernel/mounts.js";
import { hasCode, lstat, readdir, stat, type Stat, type Work } from "../kernel/syscalls.js";

export interface ForbiddenOptions {
  /** Our own state: these and all below, by every spelling that is known for them. */
  readonly privatePaths: readonly Bytes[];
  /** Folders of ours in which users' files are kept for undo: another name that one of those has is still theirs. */
  readonly keptIn?: readonly Bytes[];
  /** Credentials: the path, and the operator's entry that closes it. */
  readonly denied: ReadonlyMap<Bytes, string>;
}

const SYSTEM = new Set<Bytes>(["/proc", "/sys", "/dev"]);
const FRESH_MS = 1000;
const MAX_SCANNED = 2000;

/** What stays shut whatever the roots say. */
export class ForbiddenPaths {
  readonly #mounts: Mounts;
  readonly #private: ReadonlySet<Bytes>;
  readonly #keptIn: ReadonlySet<Bytes>;
  readonly #denied: ReadonlyMap<Bytes, string>;
  #bound = new Set<Bytes>();
  #boundVersion = Number.NaN;
  #depth = 1;
  readonly #identities = new Map<Bytes | null, Identities>();

  constructor({ privatePaths, keptIn = [], denied }: ForbiddenOptions, mounts: Mounts) {
    this.#mounts = mounts;
    this.#private = new Set(privatePaths);
    this.#keptIn = new Set(keptIn);
    this.#denied = denied;
  }

  /** Checked on the real path, before anything below the root is touched. Credentials are open to a root in or on them. */
  refusePath(root: Bytes, real: Bytes, shown: string): void {
    const bound = this.#binds();
    let end = 0;
    // What is closed lies no deeper: of a path of thousands of names only the beginning counts.
    for (let depth = 0; depth < this.#depth && end < real.length && real !== "/"; depth++) {
      const slash = real.indexOf("/", end + 1);
      end = slash === -1 ? real.length : slash;
      const path = real.slice(0, end);
      if (SYSTEM.has(path)) throw systemError(shown, path);
      if (this.#private.has(path) || bound.has(path)) throw privateError(shown);
      const entry = path.length > root.length ? this.#denied.get(path) : undefined;
      if (entry !== undefined) throw deniedError(shown, entry);
    }
  }

  /** Why a folder must stay where it is with all that it holds, or undefined. */
  below(real: Bytes): Advice | undefined {
    for (const path of [...this.#private, ...this.#binds()])
      if (contains(real, path)) return "It holds the server's own state.";
    for (const [path, entry] of this.#denied) if (contains(real, path)) return { id: "leave-credentials", entry };
    return undefined;
  }

  /** What no list of `real` may show: ours, and credentials that are no root. Names, by the folder that they lie in. */
  hiddenBelow(real: Bytes, roots: readonly { readonly real: Bytes }[]): ReadonlyMap<Bytes, ReadonlySet<Bytes>> {
    return byFolder(real, this.#oursBelow(real, roots));
  }

  /** All that stays shut below `real`, by its path: ours, credentials that are no root, and where the kernel itself talks. */
  forbiddenBelow(real: Bytes, roots: readonly { readonly real: Bytes }[]): ReadonlySet<Bytes> {
    const kernels = [...SYSTEM, ...this.#mounts.kernelsBelow(real)].filter((path) => contains(real, path));
    return new Set([...this.#oursBelow(real, roots), ...kernels]);
  }

  /** The same as names, by the folder that they lie in. */
  shutNames(real: Bytes, roots: readonly { readonly real: Bytes }[]): ReadonlyMap<Bytes, ReadonlySet<Bytes>> {
    return byFolder(real, this.forbiddenBelow(real, roots));
  }

  #oursBelow(real: Bytes, roots: readonly { readonly real: Bytes }[]): Bytes[] {
    const open = new Set(roots.map((root) => root.real));
    const denied = [...this.#denied.keys()].filter((path) => !open.has(path));
    return [...this.#private, ...this.#binds(), ...denied].filter((path) => contains(real, path));
  }

  /** For a path whose folder was judged already. */
  isSystem(real: Bytes): boolean {
    return SYSTEM.has(real);
  }

  /** Those among many finds that are ours, whatever they are called. */
  *oursAmong(found: readonly Stat[], mount: Bytes | null): Work<ReadonlySet<Stat>> {
    const withLinks = found.some((each) => each.nlink > 1n && kindOf(each) !== "folder");
    const { own, linked } = yield* this.#known(mount, withLinks);
    // A number compares in no time; most of many finds need no more.
    const inos = new Set([...own, ...linked].map((id) => BigInt(id.slice(id.indexOf(":") + 1))));
    const near = found.filter(({ ino }) => inos.has(ino));
    return new Set(near.filter((each) => own.has(identity(each)) || linked.has(identity(each))));
  }

  /** Whether a file of ours has a second name somewhere. */
  *hasLinks(mount: Bytes | null): Work<boolean> {
    for (const path of this.#on(mount)) {
      const found = yield* tolerant(stat(mount, path));
      if (found !== undefined && kindOf(found) !== "folder" && found.nlink > 1n) return true;
    }
    return (yield* this.#known(mount, true)).linked.size > 0;
  }

  /** Checked on what was found: catches bind mounts and hard links, and whatever was swapped in since. */
  *refuseFound(found: Stat, mount: Bytes | null, shown: string): Work<void> {
    const type = this.#mounts.kernelType(found.dev);
    if (type !== undefined) throw systemError(shown, `a file system of the kernel (${type})`);
    const { own, linked } = yield* this.#known(mount, kindOf(found) !== "folder" && found.nlink > 1n);
    if (own.has(identity(found)) || linked.has(identity(found))) throw privateError(shown);
  }

  /** The same of a folder, known by its numbers, that a walk goes through. */
  *refuseFolder(dev: number, ino: string, mount: Bytes | null, shown: string): Work<void> {
    this.#refuseKernels(dev, shown);
    const { own } = yield* this.#known(mount, false);
    if (own.has(`${dev}:${ino}`)) throw privateError(shown);
  }

  /** The same of a file. */
  *refuseFile(
    { dev, ino, hasLinks }: { readonly dev: number; readonly ino: string; readonly hasLinks: boolean },
    mount: Bytes | null,
    shown: string,
  ): Work<void> {
    this.#refuseKernels(dev, shown);
    const { own, linked } = yield* this.#known(mount, hasLinks);
    const id = `${dev}:${ino}`;
    if (own.has(id) || linked.has(id)) throw privateError(shown);
  }

  #refuseKernels(dev: number, shown: string): void {
    const type = this.#mounts.kernelType(BigInt(dev));
    if (type !== undefined) throw systemError(shown, `a file system of the kernel (${type})`);
  }

  *#known(mount: Bytes | null, withLinks: boolean): Work<Identities> {
    const now = performance.now();
    let known = this.#identities.get(mount);
    if (known === undefined || now - known.readAt >= FRESH_MS) {
      known = {
        own: yield* this.#ownIdentities(mount),
        linked: new Set(),
        linkedAt: Number.NEGATIVE_INFINITY,
        readAt: now,
      };
      this.#identities.set(mount, known);
    }
    if (withLinks && now - known.linkedAt >= FRESH_MS) {
      known.linked = yield* this.#linkedIdentities(mount);
      known.linkedAt = now;
    }
    return known;
  }

  *#ownIdentities(mount: Bytes | null): Work<Set<string>> {
    const own = new Set<string>();
    for (const path of this.#on(mount)) {
      const found = yield* tolerant(stat(mount, path));
      if (found !== undefined) own.add(identity(found));
    }
    return own;
  }

  /** A file of ours has a second name somewhere only if its link count says so. Breadth first: ours lie at the top. */
  *#linkedIdentities(mount: Bytes | null): Work<Set<string>> {
    const linked = new Set<string>();
    const folders = this.#on(mount);
    let scanned = 0;
    for (let folder = folders.shift(); folder !== undefined && scanned < MAX_SCANNED; folder = folders.shift()) {
      for (const name of (yield* tolerant(readdir(mount, folder))) ?? []) {
        if ((scanned += 1) > MAX_SCANNED) break;
        const path = join(folder, name);
        const found = yield* tolerant(lstat(mount, path));
        if (found === undefined) continue;
        if (this.#keptIn.has(path)) continue;
        if (kindOf(found) === "folder") folders.push(path);
        else if (found.nlink > 1n) linked.add(identity(found));
      }
    }
    return linked;
  }

  #on(mount: Bytes | null): Bytes[] {
    return [...this.#private].filter((path) => this.#mounts.network(path) === mount);
  }

  #binds(): ReadonlySet<Bytes> {
    const version = this.#mounts.version;
    if (version !== this.#boundVersion) {
      this.#boundVersion = version;
      this.#bound = new Set([...this.#private].flatMap((path) => this.#mounts.aliases(path)));
      this.#depth = deepest([...this.#private, ...this.#bound, ...this.#denied.keys()]);
    }
    return this.#bound;
  }
}

function byFolder(real: Bytes, paths: Iterable<Bytes>): ReadonlyMap<Bytes, ReadonlySet<Bytes>> {
  const names = new Map<Bytes, Set<Bytes>>();
  for (const path of paths) {
    if (path === real) continue;
    const cut = path.lastIndexOf("/");
    const folder = path.slice(0, cut) || "/";
    names.set(folder, (names.get(folder) ?? new Set()).add(path.slice(cut + 1)));
  }
  return names;
}

interface Identities {
  readonly own: ReadonlySet<string>;
  linked: ReadonlySet<string>;
  linkedAt: number;
  readonly readAt: number;
}

/** A path of ours that cannot be looked at has no identity to compare; its path still counts. */
function* tolerant<T>(work: Work<T>): Work<T | undefined> {
  try {
    return yield* work;
  } catch (thrown) {
    if (hasCode(thrown, "ENOENT", "ENOTDIR", "EACCES", "ELOOP")) return undefined;
    throw thrown;
  }
}

function identity({ dev, ino }: Stat): string {
  return `${dev}:${ino}`;
}

function deepest(paths: Iterable<Bytes>): number {
  return Math.max(1, ...[...paths].map((path) => namesOf(path).length));
}

function systemError(shown: string, where: string): InvalidPathError {
  return new InvalidPathError(
    shown,
    `lies in ${where}, which is always closed`,
    "Nothing below /proc, /sys and /dev is read as a file.",
  );
}

function privateError(shown: string): InvalidPathError {
  return new InvalidPathError(
    shown,
    "belongs to this server itself",
    "No tool reads or changes the server's own state.",
  );
}

function deniedError(shown: string, entry: string): InvalidPathError {
  return new InvalidPathError(shown, "holds credentials", { id: "open-credentials", entry });
}
