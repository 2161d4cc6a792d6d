import type { OpenScope } from "../scope/scope.js";
import { setTimeout as sleep } from "node:timers/promises";
import { type Bytes, join } from "@llmc/names";
import { timeTells, SETTLED_MS } from "../kernel/known-listings.js";
import { kindOf } from "../kernel/kind.js";
import { lstat, type Stat, type Work } from "../kernel/syscalls.js";
import { isSystem, listed, tolerated } from "./look.js";

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
  /** Something in it is execConfig by others. */
  readonly holds: boolean;
  /** To be looked into, too. */
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
      this.#running = this.#look().finally(() => (this.#running = undefined));
      // Nobody may wait for it any more when it fails.
      this.#running.catch(() => undefined);
    }
    if (this.#running !== undefined) await (isQuick ? this.#running : this.#patiently(this.#running));
    const near = isQuick ? [] : await this.#scope.run(this.#near(cwd), cwd, signal);
    return [...near, ...this.#found];
  }

  /** Whether something in that folder, wherever it lies, is execConfig by others; true where only a list can tell. */
  *holds(folder: Bytes): Work<boolean> {
    if (this.#scope.mounts.network(folder) !== null) return true;
    return (yield* this.#lookNow(folder))?.holds ?? false;
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

  async #look(): Promise<void> {
    const began = performance.now();
    await this.#scope.run(this.#pass(), "the roots", this.#ended);
    const now = performance.now();
    this.#last = { at: now, took: now - began };
  }

  *#pass(): Work<void> {
    const scope = this.#scope;
    const looks = new Map<Bytes, Look>();
    let level = scope.roots.map((root) => root.real);
    while (level.length > 0) {
      const next: Bytes[] = [];
      for (const folder of level) {
        if (looks.size >= MAX_FOLDERS) break;
        const look = yield* this.#into(folder);
        if (look === undefined) continue;
        looks.set(folder, look);
        this.#keep(folder, look);
        for (const name of look.folders) if (looks.size + next.length < MAX_FOLDERS) next.push(join(folder, name));
      }
      level = next;
    }
    // What was found once counts while it is there: nobody can push it out with folders of his own.
    for (const folder of this.#found) if (!looks.has(folder)) this.#keep(folder, yield* this.#into(folder));
    this.#looks = looks;
  }

  *#near(cwd: Bytes): Work<Bytes[]> {
    const queue = [cwd];
    const holding: Bytes[] = [];
    for (let at = 0; at < queue.length && at < NEAR_FOLDERS; at += 1) {
      const folder = queue[at] as Bytes;
      const look = yield* this.#lookNow(folder);
      if (look === undefined) continue;
      this.#keep(folder, look);
      if (look.holds) holding.push(folder);
      for (const name of look.folders) if (queue.length < NEAR_FOLDERS) queue.push(join(folder, name));
    }
    return holding;
  }

  #keep(folder: Bytes, look: Look | undefined): void {
    if (look?.holds !== true) this.#found.delete(folder);
    else if (this.#found.size < MAX_FOUND) this.#found.add(folder);
  }

  /** A look out of turn, for the next one. */
  *#lookNow(folder: Bytes): Work<Look | undefined> {
    const look = yield* this.#into(folder);
    if (look !== undefined && this.#looks.size < MAX_FOLDERS) this.#looks.set(folder, look);
    return look;
  }

  *#into(folder: Bytes): Work<Look | undefined> {
    if (this.#scope.mounts.network(folder) !== null) return undefined;
    const stat = yield* tolerated(lstat(null, folder));
    if (stat === undefined || kindOf(stat) !== "folder") return undefined;
    const known = this.#looks.get(folder);
    if (known?.stamp !== undefined && known.stamp === stampOf(stat)) return known;
    if (this.#scope.mounts.kernelType(stat.dev) !== undefined) return undefined;
    return yield* this.#list(folder, stat);
  }

  *#list(folder: Bytes, stat: Stat): Work<Look | undefined> {
    const { execConfig } = this.#scope;
    const names = yield* listed(null, folder);
    if (names === undefined) return undefined;
    const folders: Bytes[] = [];
    let holds = false;
    for (const { name, isFolder } of names) {
      const path = join(folder, name);
      if (name === ".git" || execConfig.isExecuted(path, isFolder) !== undefined) holds = true;
      else if (isFolder && !NOT_ENTERED.has(name) && !isSystem(path)) folders.push(name);
    }
    return { stamp: isSettled(stat) && timeTells(folder) ? stampOf(stat) : undefined, holds, folders };
  }
}

function stampOf({ dev, ino, ctimeNs }: Stat): string {
  return `${dev}:${ino}:${ctimeNs}`;
}

function isSettled({ ctimeNs }: Stat): boolean {
  return Date.now() - Number(ctimeNs / 1_000_000n) >= SETTLED_MS;
}
