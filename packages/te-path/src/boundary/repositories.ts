import type { OpenScope } from "../scope/scope.js";
import { setTimeout as sleep } from "node:timers/promises";
import { type Bytes, contains, join } from "@llmc/names";
import { SETTLED_MS, timeTells } from "../kernel/known-listings.js";
import { kindOf } from "../kernel/kind.js";
import { PROC_FD } from "../kernel/proc-fd.js";
import { fstat, listAtOnce, type Descriptor, type Stat, type Work } from "../kernel/syscalls.js";
import { type FolderStat, type OpenFolders, withFolders } from "./open-folders.js";

/** In how many folders they are looked for, those next to a root first, and how many are kept. */
const MAX_FOLDERS = 20_000;
const MAX_FOUND = 2000;
/** In how many below a command's own folder, before and after each command: what it makes is most likely there. */
const NEAR_FOLDERS = 200;
/** Full of folders, and none of them is opened as a project. */
const NOT_ENTERED = new Set(["node_modules", ".git", "target", "__pycache__", ".venv", "venv"]);
/** A look that takes less is taken each time: a repository that was just made counts at once. */
const QUICK_MS = 5;
/** Where it takes longer it is taken after that time, and after that many times as long as it takes. */
const FRESH_MS = 10_000;
const SHARE = 50;
/** A disk that has to be read for the first time can take minutes: what was found by then has to do. */
const PATIENCE_MS = 500;

/** What a folder told when it was looked into. */
interface Look {
  /** Of the folder then; undefined where it does not tell of every change. */
  readonly stamp: string | undefined;
  /** Whether other programs execute an entry of the folder. */
  readonly holds: boolean;
  /** Names of subfolders to search. */
  readonly folders: readonly Bytes[];
}

/** The folders below the roots that hold something others execute: repositories, mostly. */
export class Repositories {
  readonly #scope: OpenScope;
  readonly #ended: AbortSignal;
  #looks = new Map<Bytes, Look>();
  readonly #found = new Set<Bytes>();
  #last: { readonly at: number; readonly took: number } | undefined;
  #running: Promise<void> | undefined;

  constructor(scope: OpenScope, ended: AbortSignal) {
    this.#scope = scope;
    this.#ended = ended;
  }

  /** Whether a look has come to its end once. */
  get isWhole(): boolean {
    return this.#last !== undefined;
  }

  /** All that are known, after a look where one is due; below that folder after one in any case. */
  async folders(cwd: Bytes, signal?: AbortSignal): Promise<readonly Bytes[]> {
    const isQuick = this.#last !== undefined && this.#last.took < QUICK_MS;
    if (this.#running === undefined && this.#isDue()) {
      this.#running = this.#lookAll().finally(() => (this.#running = undefined));
      // Nobody may wait for it any more when it fails.
      this.#running.catch(() => undefined);
    }
    if (this.#running !== undefined) await (isQuick ? this.#running : this.#patiently(this.#running));
    const search = withFolders(this.#scope, (opened) => this.#near(opened, cwd));
    const near = isQuick ? [] : await this.#scope.run(search, cwd, signal);
    return [...near, ...this.#found];
  }

  /** Returns whether other programs execute something in that folder; true for a network mount, which is not searched. */
  *holds(folders: OpenFolders, folder: Bytes): Work<boolean> {
    if (this.#scope.mounts.network(folder) !== null) return true;
    const look = yield* this.#look(folders, folder);
    if (look !== undefined) this.#remember(folder, look);
    return look?.holds ?? false;
  }

  async #patiently(running: Promise<void>): Promise<void> {
    const enough = new AbortController();
    try {
      await Promise.race([running, sleep(PATIENCE_MS, undefined, { ref: false, signal: enough.signal })]);
    } finally {
      enough.abort();
    }
  }

  #isDue(): boolean {
    if (this.#last === undefined) return true;
    const { at, took } = this.#last;
    return took < QUICK_MS || performance.now() - at > Math.max(FRESH_MS, SHARE * took);
  }

  async #lookAll(): Promise<void> {
    const began = performance.now();
    const pass = withFolders(this.#scope, (folders) => this.#pass(folders));
    await this.#scope.run(pass, "the roots", this.#ended);
    const now = performance.now();
    this.#last = { at: now, took: now - began };
  }

  *#pass(folders: OpenFolders): Work<void> {
    const { roots } = this.#scope;
    const looks = new Map<Bytes, Look>();
    const tops = roots.map((root) => root.real);
    yield* this.#search(folders, tops, MAX_FOLDERS, (folder, look) => {
      looks.set(folder, look);
      this.#keep(folder, look);
    });
    // A folder that was found once counts while it is there, so a command cannot push it out with folders of its own.
    for (const folder of this.#found) if (!looks.has(folder)) this.#keep(folder, yield* this.#look(folders, folder));
    this.#looks = looks;
  }

  *#near(folders: OpenFolders, cwd: Bytes): Work<Bytes[]> {
    const holding: Bytes[] = [];
    yield* this.#search(folders, [cwd], NEAR_FOLDERS, (folder, look) => {
      this.#remember(folder, look);
      this.#keep(folder, look);
      if (look.holds) holding.push(folder);
    });
    return holding;
  }

  /** Looks into folders and those below them, level by level, up to `most` folders. */
  *#search(
    folders: OpenFolders,
    tops: readonly Bytes[],
    most: number,
    found: (folder: Bytes, look: Look) => void,
  ): Work<void> {
    let room = most - tops.length;
    let level: (readonly Bytes[])[] = tops.filter((top) => this.#isLocal(top)).map((top) => [top]);
    while (level.length > 0) {
      const next: (readonly Bytes[])[] = [];
      for (const siblings of level) {
        const stats = yield* folders.lstatSiblings(siblings.filter((path) => this.#isKnown(path)));
        for (const folder of siblings) {
          const look = yield* this.#lookAt(folders, folder, stats.get(folder));
          if (look === undefined) continue;
          found(folder, look);
          const below = look.folders.slice(0, room).map((name) => join(folder, name));
          room -= below.length;
          const local = below.filter((path) => this.#isLocal(path));
          if (local.length > 0) next.push(local);
        }
      }
      level = next;
    }
  }

  #keep(folder: Bytes, look: Look | undefined): void {
    if (look?.holds !== true) this.#found.delete(folder);
    else if (this.#found.size < MAX_FOUND) this.#found.add(folder);
  }

  #remember(folder: Bytes, look: Look): void {
    if (this.#looks.size < MAX_FOLDERS) this.#looks.set(folder, look);
  }

  #isLocal(folder: Bytes): boolean {
    return this.#scope.mounts.network(folder) === null;
  }

  *#look(folders: OpenFolders, folder: Bytes): Work<Look | undefined> {
    if (!this.#isLocal(folder)) return undefined;
    return yield* this.#lookAt(folders, folder, this.#isKnown(folder) ? yield* folders.lstat(folder) : undefined);
  }

  /** Returns whether an lstat can show that the folder has not changed since the last listing. */
  #isKnown(folder: Bytes): boolean {
    return this.#looks.get(folder)?.stamp !== undefined;
  }

  /** Lists the folder unless `stat` shows that it has not changed since the last listing. */
  *#lookAt(folders: OpenFolders, folder: Bytes, stat: FolderStat | undefined): Work<Look | undefined> {
    const known = this.#looks.get(folder);
    if (known?.stamp !== undefined) {
      if (stat === undefined || kindOf(stat) !== "folder") return undefined;
      if (known.stamp === stampOf(stat)) return known;
    }
    return yield* folders.read(folder, (held) => this.#list(folder, held));
  }

  /** Judges the folder that was opened, because another one may have had its name before. */
  *#list(folder: Bytes, held: Descriptor): Work<Look | undefined> {
    const { execConfig, mounts } = this.#scope;
    const stat = yield* fstat(held);
    if (mounts.kernelType(stat.dev) !== undefined) return undefined;
    const names = yield* listAtOnce(held);
    if (names === undefined) return undefined;
    const folders: Bytes[] = [];
    let holds = false;
    for (const { name, isFolder } of names) {
      const path = join(folder, name);
      if (name === ".git" || execConfig.isExecuted(path, isFolder) !== undefined) holds = true;
      else if (isFolder && !NOT_ENTERED.has(name) && !isSystem(path)) folders.push(name);
    }
    const stamp = isSettled(stat) && timeTells(`${PROC_FD}/${held.fd}`) ? stampOf(stat) : undefined;
    return { stamp, holds, folders };
  }
}

function stampOf({ dev, ino, ctimeNs }: FolderStat): string {
  return `${dev}:${ino}:${ctimeNs}`;
}

function isSettled({ ctimeNs }: Stat): boolean {
  return Date.now() - Number(ctimeNs / 1_000_000n) >= SETTLED_MS;
}

/** Returns whether the sandbox shows that folder of the machine read-only or not at all, even below the root "/". */
function isSystem(path: Bytes): boolean {
  return ["/proc", "/sys", "/dev", "/run", "/usr", "/etc", "/var", "/opt", "/lib", "/boot"].some((system) =>
    contains(system, path),
  );
}
