import { OpsError } from "@llmc/errors";
import { hasCode, close, type Descriptor, type Work, type Scope } from "@llmc/te-path";
import { type Bytes, join, namesOf } from "@llmc/names";
import { enterFolder } from "./enter-folder.js";
import { type SearchRoot } from "../search-root/search-root.js";
import { enterSearchRoot } from "../search-root/find-search-root.js";

interface FolderCursor {
  readonly name: Bytes;
  readonly real: Bytes;
  /** Null once there are too many below it. */
  folder: Descriptor | null;
}

/** Most folders open at once, beside the search root. */
const MOST_HELD = 64;

/**
 * Opens folders below the search root one after the other, each by its names from the search root on and through no
 * symlink. Folders shared with the next path stay open.
 */
export class Reach {
  readonly #scope: Scope;
  readonly #searchRoot: SearchRoot;
  readonly #shut: ReadonlyMap<Bytes, ReadonlySet<Bytes>>;
  readonly #held: FolderCursor[] = [];

  constructor(scope: Scope, searchRoot: SearchRoot) {
    this.#scope = scope;
    this.#searchRoot = searchRoot;
    this.#shut = scope.forbidden.shutNames(searchRoot.real, scope.roots);
  }

  /** Undefined where it cannot be reached: gone, swapped, closed or not ours to enter. Open until the next call. */
  *folder(way: Bytes): Work<{ readonly folder: Descriptor; readonly real: Bytes } | undefined> {
    const names = namesOf(way);
    if (names.includes("..") || names.includes(".")) return undefined;
    try {
      return yield* this.#go(names);
    } catch (thrown) {
      if (isOutOfReach(thrown)) return undefined;
      throw thrown;
    }
  }

  isForbidden(folder: Bytes, name: Bytes): boolean {
    return this.#shut.get(folder)?.has(name) === true;
  }

  *end(): Work<void> {
    yield* this.#letGo(0);
  }

  *#go(names: readonly Bytes[]): Work<{ readonly folder: Descriptor; readonly real: Bytes } | undefined> {
    yield* this.#letGo(this.#common(names));
    const held = this.#held;
    if (held.length === 0) {
      const { entry } = yield* enterSearchRoot(this.#scope, this.#searchRoot);
      held.push({ name: "", real: this.#searchRoot.real, folder: entry });
    }
    for (const name of names.slice(held.length - 1)) {
      const { real, folder } = held.at(-1) as Held;
      if (this.isForbidden(real, name)) return undefined;
      const next = join(real, name);
      const entered = yield* enterFolder(this.#scope, folder, name, next, this.#searchRoot.path);
      held.push({ name, real: next, folder: entered.folder });
      yield* this.#release(held.at(-1 - MOST_HELD));
    }
    return held.at(-1) as Held;
  }

  /** How many of those that are held lie on the way; none where the last of them was let go. */
  #common(names: readonly Bytes[]): number {
    let shared = Math.min(1, this.#held.length);
    while (shared < this.#held.length && this.#held[shared]?.name === names[shared - 1]) shared += 1;
    return this.#held[shared - 1]?.folder === null ? 0 : shared;
  }

  *#release(one: FolderCursor | undefined): Work<void> {
    if (one === undefined || one.folder === null) return;
    const { folder } = one;
    one.folder = null;
    yield* close(folder);
  }

  *#letGo(from: number): Work<void> {
    for (const one of this.#held.splice(from).toReversed()) yield* this.#release(one);
  }
}

interface Held extends FolderCursor {
  folder: Descriptor;
}

/** Gone, swapped, closed, or not ours to enter. */
export function isOutOfReach(thrown: unknown): boolean {
  if (OpsError.is(thrown)) return SHUT.has(thrown.code);
  return hasCode(thrown, "ENOENT", "ENOTDIR", "ELOOP", "EACCES", "EPERM", "ENAMETOOLONG", "ESTALE", "ENXIO");
}

const SHUT: ReadonlySet<string> = new Set(["INVALID_PATH", "NOT_FOUND", "NOT_A_DIRECTORY", "PERMISSION_DENIED"]);
