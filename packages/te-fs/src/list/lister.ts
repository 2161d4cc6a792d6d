import { OpsError } from "@llmc/errors";
import {
  type OpenScope,
  hasCode,
  lstatMany,
  type Work,
  type Found,
  Descent,
  type Entered,
  ignoringAt,
  ignoringIn,
  below,
} from "@llmc/te-path";
import { RuleRoom, type Bytes, join, displayPath } from "@llmc/names";
import { Room, type Entry, type Folder } from "./folder.js";
import type { ListedFolder, Listing } from "./listing.js";
import { CLOSED, reasonOf } from "./look.js";
import { readFolder, type Read, type Reader } from "./read-folder.js";
import { listFilter } from "./list-filter.js";

export interface ListerOptions {
  readonly signal?: AbortSignal | undefined;
  /** 0: the folder's own entries. */
  readonly depth: number;
  readonly includeHidden: boolean;
  readonly glob?: string | undefined;
  readonly respectGitignore?: boolean | undefined;
  /** How many entries of the folder itself are kept when there is no room for all. */
  readonly maxEntries: number;
  /** About how many bytes the entries that are kept may take as JSON. */
  readonly maxKeptBytes: number;
  /** What was not read by then is left out. */
  readonly maxMs: number;
  /** How many folders are entered. */
  readonly maxFolders?: number | undefined;
}

/** How long folders that lie on this machine follow each other before others get their turn. */
const TURN_MS = 5;
/** Each that waits to be entered is remembered. */
const MAX_FOLDERS = 100_000;

/** One listing: goes through the folders, those above before those below. */
export class Lister {
  readonly #scope: OpenScope;
  readonly #options: ListerOptions;
  readonly #reader: Reader;
  readonly #descent: Descent;
  readonly #folders: Folder[];
  readonly #read: Folder[] = [];
  /** Mounts that did not answer, and what was said of them: nobody waits for them a second time. */
  readonly #dead = new Map<Bytes, string>();
  readonly #rules = new RuleRoom();
  readonly #left = { hidden: 0, ignored: 0, notEntered: 0 };

  constructor(scope: OpenScope, path: string, { entry, stat, real }: Found, options: ListerOptions) {
    const top = newFolder({ above: undefined, entry: undefined, name: ".", real, path, depth: 0, way: "" });
    this.#scope = scope;
    this.#options = options;
    this.#folders = [top];
    this.#descent = new Descent(scope, top, entry, stat);
    this.#reader = {
      scope,
      filter: listFilter(options),
      closed: scope.forbidden.hiddenBelow(real, scope.roots),
      room: new Room(options.maxKeptBytes),
      maxEntries: options.maxEntries,
      maxDepth: options.depth,
      deadline: performance.now() + options.maxMs,
    };
  }

  async list(): Promise<Listing> {
    const folders = this.#folders;
    let turn = performance.now() + TURN_MS;
    for (let at = 0; at < folders.length; at += 1) {
      if (at > 0 && performance.now() > this.#reader.deadline) {
        this.#left.notEntered += folders.length - at;
        break;
      }
      await this.#visit(folders[at] as Folder);
      if (performance.now() < turn) continue;
      await new Promise((resolve) => setImmediate(resolve));
      turn = performance.now() + TURN_MS;
    }
    const read = addUp(this.#read);
    const [top] = read as [ListedFolder];
    const { skipped } = this.#rules;
    return {
      path: top.path,
      folders: read,
      total: top.total,
      isWhole: this.#reader.room.isWhole,
      ...this.#left,
      ...(skipped === 0 ? {} : { skippedRules: skipped }),
    };
  }

  async end(): Promise<void> {
    await this.#scope.run(this.#descent.end(), "").catch(() => {});
  }

  async #visit(folder: Folder): Promise<void> {
    const dead = this.#dead.get(this.#mountOf(folder) ?? "");
    if (dead !== undefined) return this.#tell(folder, dead);
    try {
      const found = await this.#scope.run(this.#enter(folder), folder.path, this.#options.signal);
      if (found === undefined) return;
      await this.#lookAtMounts(folder, found.held, found.read.mounted);
      this.#note(folder, found.read);
    } catch (thrown) {
      if (folder.above === undefined || this.#options.signal?.aborted === true) throw thrown;
      this.#tell(folder, this.#problemOf(folder, thrown));
    }
  }

  /** Undefined where it is gone, or no folder any more. */
  *#enter(folder: Folder): Work<{ readonly held: Entered; readonly read: Read } | undefined> {
    try {
      const held = yield* this.#descent.enter(folder);
      if (this.#options.respectGitignore === true) folder.ignore = yield* this.#ignoring(folder, held);
      return { held, read: yield* readFolder(this.#reader, folder, held) };
    } catch (thrown) {
      if (folder.above !== undefined && hasCode(thrown, "ENOENT", "ENOTDIR", "ELOOP")) return undefined;
      throw thrown;
    }
  }

  #ignoring({ above, name, real }: Folder, { folder }: Entered): Work<Folder["ignore"]> {
    return above?.ignore === undefined
      ? ignoringAt(this.#rules, this.#reader.scope, real)
      : ignoringIn(this.#rules, folder, above.ignore, name);
  }

  #note(folder: Folder, read: Read): void {
    this.#read.push(folder);
    this.#left.hidden += read.hidden;
    this.#left.ignored += read.ignored;
    const enter = read.enter.filter(([, entry]) => entry?.problem === undefined);
    const some = enter.slice(0, Math.max(0, (this.#options.maxFolders ?? MAX_FOLDERS) - this.#folders.length));
    this.#left.notEntered += read.notEntered + enter.length - some.length;
    for (const [name, entry] of some) this.#folders.push(folderIn(folder, name, entry));
    if (some.length === 0) this.#forgetRules(folder);
  }

  /** Nothing below it is entered, so nobody asks again. */
  #forgetRules(folder: Folder): void {
    if (folder.ignore?.own !== undefined) this.#rules.giveBack(folder.ignore.own);
    folder.ignore = undefined;
  }

  /** All at once: several that do not answer cost the time of one. */
  async #lookAtMounts(folder: Folder, { folder: { fd } }: Entered, mounted: Read["mounted"]): Promise<void> {
    const looks = Array.from(mounted, async ([name, entry]) => {
      const mount = join(folder.real, name);
      try {
        const work = lstatMany({ fd, mount }, [name]);
        const [found] = await this.#scope.run(work, join(folder.path, entry.name), this.#options.signal);
        if (found === undefined || !("stat" in found)) return;
        entry.mtimeMs = Number(found.stat.mtimeNs / 1_000_000n);
      } catch (thrown) {
        if (this.#options.signal?.aborted === true) throw thrown;
        entry.problem = reasonOf(thrown);
        this.#dead.set(mount, entry.problem);
      }
    });
    await Promise.all(looks);
  }

  #problemOf(folder: Folder, thrown: unknown): string {
    const problem = reasonOf(thrown);
    const mount = this.#mountOf(folder);
    if (mount !== null && OpsError.is(thrown) && thrown.code === "TIMEOUT") this.#dead.set(mount, problem);
    return problem;
  }

  /** At its entry; one that the glob left out gets an entry for that. */
  #tell({ entry, above, name }: Folder, problem: string): void {
    if (entry !== undefined) entry.problem = problem;
    if (entry !== undefined || above === undefined || problem === CLOSED) return;
    above.entries.push({ name: displayPath(name), type: "dir", problem });
    above.count += 1;
  }

  #mountOf({ real }: Folder): Bytes | null {
    return this.#reader.scope.mounts.network(real);
  }
}

function newFolder(facts: Omit<Folder, "entries" | "count" | "total" | "ignore">): Folder {
  return { ...facts, entries: [], count: 0, total: 0, ignore: undefined };
}

function folderIn(above: Folder, name: Bytes, entry: Entry | undefined): Folder {
  return newFolder({
    above,
    entry,
    name,
    real: join(above.real, name),
    path: join(above.path, entry?.name ?? displayPath(name)),
    depth: above.depth + 1,
    way: below(above.way, name),
  });
}

/** The totals, from the deepest folder up; each entry is given what lies in it. */
function addUp(folders: readonly Folder[]): ListedFolder[] {
  return folders
    .toReversed()
    .map((folder) => {
      folder.total += folder.count;
      if (folder.above !== undefined) folder.above.total += folder.total;
      const { path, depth, entries, count, total } = folder;
      const listed: ListedFolder = { path, depth, entries, count, total };
      if (folder.entry !== undefined) folder.entry.contents = listed;
      return listed;
    })
    .toReversed();
}
