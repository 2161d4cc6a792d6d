import { OpsError } from "@llmc/errors";
import { RuleRoom, type Bytes } from "@llmc/names";
import {
  type Dir,
  PROC_FD,
  listedKindOf,
  LISTED_AT_ONCE,
  type Listed,
  isFileError,
  close,
  hasCode,
  inFolder,
  enterListing,
  lstatMany,
  readdir,
  type Descriptor,
  type Work,
  type Syscall,
  FOLDER,
  type Scope,
} from "@llmc/te-path";
import { enterFolder } from "./enter-folder.js";
import type { FoundName } from "./found-name.js";
import { type SearchRoot } from "../search-root/search-root.js";
import { enterSearchRoot } from "../search-root/find-search-root.js";
import { describe } from "./look-at-names.js";
import { presentAmong, presentIn } from "./present.js";
import { rulesAbove } from "./rules-above.js";
import { ignoredBy, NO_RULES, rulesWith, GIT, type FolderRules, type Present } from "./rules.js";
import type { NameWalk, VisitNames, WalkedNames } from "./name-walk.js";

/** Something that the walk waits for before its next call. */
export type Pause = Promise<unknown>;

/** Work that makes system calls and sometimes waits for others. */
type PausingWork<T> = Generator<Syscall | Pause, T, unknown>;

/** What the visitor threw: no failure of the walk. */
export class VisitFailed extends Error {}

/** A folder on the way down to where the walk is. */
interface Frame {
  readonly name: Bytes;
  readonly real: Bytes;
  readonly way: Bytes;
  readonly mount: Bytes | null;
  /** Null once there are too many below it. */
  folder: Descriptor | null;
  rules: FolderRules;
  /** Names of its folders that are still to be entered, many in one string: a million of them are no objects. */
  readonly packed: Bytes[];
  next: Bytes[];
}

/** A folder that is open; the names in it, where they are few. */
interface Opened {
  readonly fd: number;
  readonly names: readonly Listed[] | undefined;
}

/** Folders held at once. */
const MOST_HELD = 64;
/** Nothing on this machine opens such a path. */
const MAX_WAY = 16_384;
const DOT = 46;
/** How long folders follow each other before the event loop gets its turn. */
const TURN_MS = 5;

/** Goes down and up through the folders; of each on the way only the names of its sub-folders are kept. */
export class Walker {
  readonly #scope: Scope;
  readonly #searchRoot: SearchRoot;
  readonly #walk: NameWalk;
  readonly #visit: VisitNames;
  readonly #shut: ReadonlyMap<Bytes, ReadonlySet<Bytes>>;
  readonly #room = new RuleRoom();
  readonly #frames: Frame[] = [];
  /** Mounts that did not answer: nobody waits for them a second time. */
  readonly #dead = new Set<Bytes>();
  readonly #deadline: number;
  #hidden = 0;
  #ignored = 0;
  #unreadable = 0;
  #closed = 0;
  #folders = 0;
  #ended: WalkedNames["ended"] = "whole";

  constructor(scope: Scope, searchRoot: SearchRoot, walk: NameWalk, visit: VisitNames) {
    this.#scope = scope;
    this.#searchRoot = searchRoot;
    this.#walk = walk;
    this.#visit = visit;
    this.#deadline = walk.deadline ?? Number.POSITIVE_INFINITY;
    this.#shut = scope.forbidden.shutNames(searchRoot.real, scope.roots);
  }

  tally(): Omit<WalkedNames, "ended"> {
    return {
      hidden: this.#hidden,
      ignored: this.#ignored,
      unreadable: this.#unreadable,
      closed: this.#closed,
      folders: this.#folders,
      skippedRules: this.#room.skipped,
    };
  }

  *walk(): PausingWork<WalkedNames["ended"]> {
    try {
      yield* this.#begin();
      let turn = performance.now() + TURN_MS;
      while (this.#ended === "whole") {
        const frame = this.#frames.at(-1);
        if (frame === undefined) break;
        const name = nextOf(frame);
        if (name === undefined) {
          yield* this.#leave();
          continue;
        }
        const now = performance.now();
        if (now > this.#deadline) {
          this.#ended = "deadline";
          break;
        }
        if (now > turn) {
          yield new Promise((resolve) => setImmediate(resolve));
          turn = performance.now() + TURN_MS;
        }
        yield* this.#enter(frame, name);
      }
      return this.#ended;
    } finally {
      while (this.#frames.length > 0) yield* this.#leave();
    }
  }

  *#begin(): PausingWork<void> {
    const scope = this.#scope;
    const { real } = this.#searchRoot;
    const above = this.#walk.respectIgnore ? yield* rulesAbove(scope, this.#searchRoot, this.#room) : NO_RULES;
    const { entry } = yield* enterSearchRoot(scope, this.#searchRoot);
    const top: Frame = {
      name: "",
      real,
      way: "",
      mount: entry.mount,
      folder: entry,
      rules: above,
      packed: [],
      next: [],
    };
    this.#frames.push(top);
    yield* this.#read(top, entry, undefined);
  }

  *#enter(above: Frame, name: Bytes): PausingWork<void> {
    const way = above.way === "" ? name : `${above.way}/${name}`;
    const real = above.real === "/" ? `/${name}` : `${above.real}/${name}`;
    const mount = this.#scope.mounts.network(real);
    if (way.length > MAX_WAY || (mount !== null && this.#dead.has(mount))) {
      this.#unreadable += 1;
      return;
    }
    try {
      const parent = above.folder ?? (yield* this.#hold(above));
      const { fd, names } = mount === null ? yield* this.#list(parent, name) : yield* this.#open(parent, name, real);
      const folder = { fd, mount };
      const frame: Frame = { name, real, way, mount, folder, rules: above.rules, packed: [], next: [] };
      this.#frames.push(frame);
      if (this.#frames.length > MOST_HELD) yield* this.#release(this.#frames.at(-1 - MOST_HELD));
      yield* this.#read(frame, folder, names);
    } catch (thrown) {
      yield* this.#note(thrown, real);
    }
  }

  *#list(parent: Descriptor, name: Bytes): Work<Opened> {
    const { fd, dev, ino, names } = yield* enterListing(parent, name, FOLDER);
    try {
      yield* this.#scope.forbidden.refuseFolder(dev, ino, null, this.#searchRoot.path);
      return { fd, names };
    } catch (thrown) {
      yield* close({ fd, mount: null });
      throw thrown;
    }
  }

  *#open(parent: Descriptor, name: Bytes, real: Bytes): Work<Opened> {
    const { folder } = yield* enterFolder(this.#scope, parent, name, real, this.#searchRoot.path);
    return { fd: folder.fd, names: undefined };
  }

  /** What becomes of a folder that cannot be read. */
  *#note(thrown: unknown, real: Bytes): PausingWork<void> {
    if (OpsError.is(thrown)) {
      const mount = this.#scope.mounts.network(real);
      if (thrown.code === "INVALID_PATH") this.#closed += 1;
      else if (thrown.code === "TIMEOUT" && mount !== null && this.#walk.signal?.aborted !== true) {
        this.#dead.add(mount);
        this.#unreadable += 1;
        while (this.#frames.at(-1)?.mount === mount && this.#frames.length > 1) yield* this.#leave();
        // What comes next must not be taken for work on the mount that does not answer.
        yield Promise.resolve();
      } else throw thrown;
      return;
    }
    if (thrown instanceof VisitFailed) throw thrown;
    if (!isFileError(thrown)) throw thrown;
    if (!hasCode(thrown, "ENOENT", "ENOTDIR", "ELOOP")) this.#unreadable += 1;
  }

  *#read(frame: Frame, folder: Descriptor, few: readonly Listed[] | undefined): PausingWork<void> {
    this.#folders += 1;
    if (few === undefined) {
      yield* this.#setRules(frame, folder, yield* presentIn(folder));
      yield* frame.mount === null ? this.#readMany(frame, folder) : this.#readLooking(frame, folder);
      return;
    }
    if (this.#walk.respectIgnore) yield* this.#setRules(frame, folder, presentAmong(few));
    yield* this.#show(frame, folder, few);
  }

  /** Some at a time. */
  *#readMany(frame: Frame, folder: Descriptor): PausingWork<void> {
    const listing = (yield { mount: null, name: "openListing", args: [`${PROC_FD}/${folder.fd}/.`] }) as Dir;
    try {
      for (;;) {
        const some = (yield { mount: null, name: "list", args: [], listing }) as Listed[];
        if (some.length === 0 || (yield* this.#show(frame, folder, some))) return;
      }
    } finally {
      yield { mount: null, name: "closeListing", args: [], listing };
    }
  }

  /** Where the names alone are told. */
  *#readLooking(frame: Frame, folder: Descriptor): PausingWork<void> {
    const names = yield* readdir(folder.mount, inFolder(folder, "."));
    for (let at = 0; at === 0 || at < names.length; at += LISTED_AT_ONCE) {
      const some = names.slice(at, at + LISTED_AT_ONCE);
      const points = this.#scope.mounts.networkIn(frame.real);
      const found = yield* lstatMany(
        folder,
        some.map((name) => (points.has(name) ? "." : name)),
      );
      const listed = some.flatMap((name, nth): Listed | [] => {
        const each = found[nth];
        if (each === undefined) return [];
        const kind = "stat" in each ? listedKindOf(each.stat) : "other";
        return { name, kind, isFolder: kind === "folder" };
      });
      if (yield* this.#show(frame, folder, listed)) return;
    }
  }

  *#setRules(frame: Frame, folder: Descriptor, present: Present): Work<void> {
    if (!this.#walk.respectIgnore) return;
    const scope = { scope: this.#scope, root: this.#searchRoot.root.real };
    frame.rules = yield* rulesWith(this.#room, scope, { folder, real: frame.real }, frame.rules, present);
  }

  /** Whether that was the end. */
  *#show(frame: Frame, folder: Descriptor, some: readonly Listed[]): PausingWork<boolean> {
    const filtered = this.#filtered(frame, some);
    const { isRepository } = filtered;
    const names = this.#walk.stats === true ? yield* this.#described(frame, folder, filtered.names) : filtered.names;
    let answer: unknown;
    try {
      answer = this.#visit({ way: frame.way, names, isRepository });
    } catch (cause) {
      throw new VisitFailed("visit", { cause });
    }
    if (answer instanceof Promise) answer = yield answer;
    if (answer === "stop") this.#ended = "stopped";
    else if (some.length === LISTED_AT_ONCE && performance.now() > this.#deadline) this.#ended = "deadline";
    return this.#ended !== "whole";
  }

  *#described(frame: Frame, folder: Descriptor, names: readonly FoundName[]): Work<FoundName[]> {
    const found = yield* describe(
      this.#scope,
      folder,
      frame.real,
      names.map(({ name }) => name),
    );
    return found.filter((each) => each !== undefined);
  }

  #filtered({ real, rules, packed }: Frame, some: readonly Listed[]): { names: Listed[]; isRepository: boolean } {
    const { includeHidden, respectIgnore } = this.#walk;
    const shut = this.#shut.size === 0 ? undefined : this.#shut.get(real);
    const kept: Listed[] = [];
    const folders: Bytes[] = [];
    let isRepository = false;
    for (const one of some) {
      const { name, isFolder } = one;
      if (shut?.has(name) === true) continue;
      const said = rules.files === 0 ? undefined : ignoredBy(rules, real, name, isFolder);
      if (said === true) {
        this.#ignored += 1;
        continue;
      }
      if (name.charCodeAt(0) === DOT) {
        const isGit = respectIgnore && name === GIT;
        isRepository ||= isGit && isFolder;
        if (!includeHidden && said !== false) {
          this.#hidden += 1;
          continue;
        }
        if (isGit) continue;
      }
      kept.push(one);
      if (isFolder) folders.push(name);
    }
    if (folders.length > 0) packed.push(folders.join("/"));
    return { names: kept, isRepository };
  }

  *#leave(): Work<void> {
    const frame = this.#frames.pop() as Frame;
    for (const rules of frame.rules.own) this.#room.giveBack(rules);
    yield* this.#release(frame);
  }

  *#release(frame: Frame | undefined): Work<void> {
    if (frame === undefined || frame.folder === null) return;
    const { folder } = frame;
    frame.folder = null;
    yield* close(folder);
  }

  /** Holds the last frame again, by the names on the way to it: what was moved meanwhile is gone. */
  *#hold(frame: Frame): Work<Descriptor> {
    let { entry: folder } = yield* enterSearchRoot(this.#scope, this.#searchRoot);
    for (const { name, real } of this.#frames.slice(1)) {
      const parent = folder;
      try {
        folder = (yield* enterFolder(this.#scope, parent, name, real, this.#searchRoot.path)).folder;
      } finally {
        yield* close(parent);
      }
    }
    frame.folder = folder;
    return folder;
  }
}

function nextOf(frame: Frame): Bytes | undefined {
  if (frame.next.length === 0) frame.next = frame.packed.pop()?.split("/").toReversed() ?? [];
  return frame.next.pop();
}
