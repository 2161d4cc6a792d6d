import { constants } from "node:fs";
import { OpsError } from "@llmc/errors";
import { kindOf, type Kind } from "../kernel/kind.js";
import { close, inFolder, lstat, open, readdir, type Bytes, type Stat, type Steps } from "../kernel/syscalls.js";
import { join, namesOf } from "../path/names.js";
import type { Spot, Tree } from "../path/walk.js";
import { withEntry } from "../write/open-entry.js";
import { atPath, contentAt, contentOf } from "./at-path.js";
import { given } from "./given.js";
import { whoIs, type ContentMark, type Who } from "./undo-step.js";

/** What is at a path, or will be once the steps before this one are taken back. */
export interface Sight {
  readonly kind: Kind;
  readonly mode: number;
  readonly size: number;
  /** Unknown for what is not there yet. */
  readonly who: Who | undefined;
  content(): Steps<ContentMark>;
  /** What a folder holds, apart from what is foreseen. */
  names(): Steps<readonly Bytes[]>;
}

/** What taking a step back does to a path. */
export type Effect =
  | { readonly gone: true }
  | { readonly file: ContentMark; readonly mode: number }
  | { readonly folder: true }
  /** What was at that path before. */
  | { readonly from: Bytes }
  /** What the journal holds at that absolute path. */
  | { readonly held: Bytes };

interface Foreseen {
  /** Effects follow each other: only those before `at` count for what is asked as of `at`. */
  readonly at: number;
  readonly effect: Effect;
}

/** Looks at paths as they will be after steps that are not yet taken back, so that all can be judged before the first. */
export class Foresight {
  readonly #tree: Tree;
  readonly #foreseen = new Map<Bytes, Foreseen[]>();
  #count = 0;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  will(path: Bytes, effect: Effect): void {
    const before = this.#foreseen.get(path) ?? [];
    this.#foreseen.set(path, [...before, { at: this.#count++, effect }]);
  }

  /** Undefined where nothing is. */
  *look(path: Bytes, asOf = this.#count): Steps<Sight | undefined> {
    const found = this.#latest(path, asOf);
    if (found === undefined) return yield* onDisk(this.#tree, path);
    const { at, effect, rest } = found;
    if ("from" in effect) return yield* this.look(join(effect.from, ...rest), at);
    if ("held" in effect) return yield* this.lookHeld(join(effect.held, ...rest));
    if ("gone" in effect || rest.length > 0) return undefined;
    return "file" in effect ? virtualFile(effect.file, effect.mode) : virtualFolder;
  }

  /** What the journal has at an absolute path. */
  lookHeld(path: Bytes): Steps<Sight | undefined> {
    return inJournal(path);
  }

  /** Whether nothing will be in the folder. */
  *isEmpty(path: Bytes, folder: Sight): Steps<boolean> {
    for (const name of yield* folder.names()) {
      if ((yield* this.look(join(path, name))) !== undefined) return false;
    }
    return true;
  }

  /** The last effect on the path or on a folder above it, and the names from there on. */
  #latest(path: Bytes, asOf: number): (Foreseen & { readonly rest: readonly Bytes[] }) | undefined {
    let latest: (Foreseen & { readonly rest: readonly Bytes[] }) | undefined;
    const names = this.#foreseen.size === 0 ? [] : namesOf(path);
    for (let length = names.length; length > 0; length--) {
      const effects = this.#foreseen.get(`/${names.slice(0, length).join("/")}`) ?? [];
      const last = effects.findLast(({ at }) => at < asOf);
      if (last !== undefined && last.at > (latest?.at ?? -1)) latest = { ...last, rest: names.slice(length) };
    }
    return latest;
  }
}

const virtualFolder: Sight = {
  kind: "folder",
  mode: 0,
  size: 0,
  who: undefined,
  content: () => given({ sha256: "", size: 0 }),
  names: () => given([]),
};

function virtualFile(mark: ContentMark, mode: number): Sight {
  return {
    ...virtualFolder,
    kind: "file",
    mode,
    size: mark.size,
    content: () => given(mark),
  };
}

function* onDisk(tree: Tree, path: Bytes): Steps<Sight | undefined> {
  try {
    const found = yield* atPath(tree, path, (spot) => given(spot.found));
    if (found === undefined) return undefined;
    const again = <T>(work: (spot: Spot) => Steps<T>) => atPath(tree, path, work);
    return {
      ...factsOf(found),
      content: () => again(contentAt),
      // Through a descriptor: a link that has the name by now is not followed.
      names: () => again((spot) => withEntry(spot, (entry) => readdir(entry.mount, inFolder(entry, ".")))),
    };
  } catch (thrown) {
    // A folder on the way is gone, or is a file by now.
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}

function* inJournal(path: Bytes): Steps<Sight | undefined> {
  const found = yield* lstat(null, path);
  if (found === undefined) return undefined;
  return {
    ...factsOf(found),
    names: () => readdir(null, path),
    *content() {
      const file = yield* open(null, path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        return yield* contentOf(file);
      } finally {
        yield* close(file);
      }
    },
  };
}

function factsOf(stat: Stat): Pick<Sight, "kind" | "mode" | "size" | "who"> {
  return { kind: kindOf(stat), mode: Number(stat.mode & 0o7777n), size: Number(stat.size), who: whoIs(stat) };
}

export function isMissing(thrown: unknown): boolean {
  if (OpsError.is(thrown)) return thrown.code === "NOT_FOUND" || thrown.code === "NOT_A_DIRECTORY";
  return ["ENOENT", "ENOTDIR"].includes((thrown as NodeJS.ErrnoException | null)?.code ?? "");
}
