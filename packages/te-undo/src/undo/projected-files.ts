import { constants } from "node:fs";
import { OpsError } from "@llmc/errors";
import {
  kindOf,
  type Kind,
  close,
  lstat,
  open,
  type Descriptor,
  type Stat,
  type Work,
  type Target,
  type Scope,
  eachListed,
  withEntry,
  done,
  type ContentMark,
} from "@llmc/te-path";
import { type Bytes, join, namesOf } from "@llmc/names";
import { atPath, contentAt, contentOf } from "./at-path.js";
import { sumOf, type Content } from "../store/held-content.js";
import { whoIs, type Who } from "../store/steps.js";

/** What is at a path, or will be once the steps before this one are taken back. */
export interface Sight {
  readonly kind: Kind;
  readonly mode: number;
  readonly size: number;
  /** Unknown for what is not there yet. */
  readonly who: Who | undefined;
  /** Of the first `size` bytes, or of all. */
  content(size?: number): Work<ContentMark>;
  /** What a folder holds, some of it at a time and apart from what is foreseen. */
  eachName(visit: (names: readonly Bytes[]) => Work<void>): Work<void>;
}

/** What taking a step back does to a path. */
export type Effect =
  | { readonly gone: true }
  | { readonly file: ContentMark; readonly mode: number; readonly content: Content }
  /** It will be that short. */
  | { readonly cutTo: number }
  /** It will have its end again, and be this. */
  | { readonly grownTo: ContentMark }
  | { readonly folder: true }
  | { readonly chmod: number }
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
export class ProjectedFiles {
  readonly #scope: Scope;
  readonly #foreseen = new Map<Bytes, Foreseen[]>();
  #count = 0;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  will(path: Bytes, effect: Effect): void {
    const before = this.#foreseen.get(path) ?? [];
    this.#foreseen.set(path, [...before, { at: this.#count++, effect }]);
  }

  /** Undefined where nothing is. */
  *look(path: Bytes, asOf = this.#count): Work<Sight | undefined> {
    const found = this.#latest(path, asOf);
    if (found === undefined) return yield* onDisk(this.#scope, path);
    const { at, effect, rest } = found;
    if ("from" in effect) return yield* this.look(join(effect.from, ...rest), at);
    if ("held" in effect) return yield* this.lookHeld(join(effect.held, ...rest));
    if ("chmod" in effect) return withMode(yield* this.look(path, at), rest.length === 0 ? effect.chmod : undefined);
    if ("gone" in effect || rest.length > 0) return undefined;
    if ("cutTo" in effect) return cut(yield* this.look(path, at), effect.cutTo);
    if ("grownTo" in effect) return grown(yield* this.look(path, at), effect.grownTo);
    return "file" in effect ? foreseenFile(effect) : foreseenFolder;
  }

  /** What the journal has at an absolute path. */
  lookHeld(path: Bytes): Work<Sight | undefined> {
    return inJournal(path);
  }

  /** Whether nothing will be in the folder. */
  *isEmpty(path: Bytes, folder: Sight): Work<boolean> {
    const isThere = new Error("not empty");
    const look = this.look.bind(this);
    try {
      yield* folder.eachName(function* (names) {
        for (const name of names) if ((yield* look(join(path, name))) !== undefined) throw isThere;
      });
      return true;
    } catch (thrown) {
      if (thrown === isThere) return false;
      throw thrown;
    }
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

const foreseenFolder: Sight = {
  kind: "folder",
  mode: 0,
  size: 0,
  who: undefined,
  content: () => done({ sha256: "", size: 0 }),
  *eachName() {},
};

function foreseenFile({ file, mode, content }: Extract<Effect, { file: ContentMark }>): Sight {
  return {
    ...foreseenFolder,
    kind: "file",
    mode,
    size: file.size,
    content: (size = file.size) => (size === file.size ? done(file) : sumOf(content, size)),
  };
}

function withMode(sight: Sight | undefined, mode: number | undefined): Sight | undefined {
  return sight && mode !== undefined ? { ...sight, mode } : sight;
}

function cut(sight: Sight | undefined, to: number): Sight | undefined {
  return sight && { ...sight, size: to, content: (size = to) => sight.content(Math.min(size, to)) };
}

function grown(sight: Sight | undefined, whole: ContentMark): Sight | undefined {
  const content = (size = whole.size) => (size === whole.size ? done(whole) : (sight as Sight).content(size));
  return sight && { ...sight, size: whole.size, content };
}

function* onDisk(scope: Scope, path: Bytes): Work<Sight | undefined> {
  try {
    const found = yield* atPath(scope, path, (target) => done(target.found));
    if (found === undefined) return undefined;
    const again = <T>(work: (target: Target) => Work<T>) => atPath(scope, path, work);
    return {
      ...factsOf(found),
      content: (size) => again((target) => contentAt(target, size)),
      // Through a descriptor: a link that has the name by now is not followed.
      eachName: (visit) => again((target) => withEntry(target, (entry) => eachNameIn(entry, visit))),
    };
  } catch (thrown) {
    // A folder on the way is gone, or is a file by now.
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}

function* inJournal(path: Bytes): Work<Sight | undefined> {
  const found = yield* lstat(null, path);
  if (found === undefined) return undefined;
  return {
    ...factsOf(found),
    content: (size) => within(path, constants.O_RDONLY | constants.O_NONBLOCK, (file) => contentOf(file, size)),
    eachName: (visit) => within(path, constants.O_DIRECTORY, (folder) => eachNameIn(folder, visit)),
  };
}

function* within<T>(path: Bytes, flags: number, work: (file: Descriptor) => Work<T>): Work<T> {
  const file = yield* open(null, path, flags | constants.O_NOFOLLOW);
  try {
    return yield* work(file);
  } finally {
    yield* close(file);
  }
}

function eachNameIn(folder: Descriptor, visit: (names: readonly Bytes[]) => Work<void>): Work<void> {
  return eachListed(folder, (some) => visit(some.map(({ name }) => name)));
}

function factsOf(stat: Stat): Pick<Sight, "kind" | "mode" | "size" | "who"> {
  return { kind: kindOf(stat), mode: Number(stat.mode & 0o7777n), size: Number(stat.size), who: whoIs(stat) };
}

export function isMissing(thrown: unknown): boolean {
  if (OpsError.is(thrown)) return thrown.code === "NOT_FOUND" || thrown.code === "NOT_A_DIRECTORY";
  return ["ENOENT", "ENOTDIR"].includes((thrown as NodeJS.ErrnoException | null)?.code ?? "");
}
