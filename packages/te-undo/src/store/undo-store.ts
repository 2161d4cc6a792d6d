import { lstatSync } from "node:fs";
import { hasCode, lstat, readdir, rename, statfs, unlink, type Work } from "@llmc/te-path";
import { type Bytes, toBytes } from "@llmc/names";
import { privateFolder } from "../locks/state-folder.js";
import { timeOf } from "./entry-id.js";
import { asWritable } from "./make-writable.js";
import { logName, parseName, type EntryPart } from "./entry-name.js";

export interface UndoStoreOptions {
  /** The journal's own folder, made at the first need; empty: there is none. */
  readonly dir: string;
  readonly maxBytes: number;
  readonly maxEntries: number;
  readonly maxAgeMs: number;
  /** What part of the disk must stay free when something that is removed is kept. */
  readonly minFree: number;
  readonly now: () => number;
}

/** The files of one entry, as the folder lists them. */
export interface Group {
  readonly id: string;
  readonly names: readonly string[];
  readonly log: "open" | "done" | "undone" | undefined;
  readonly bytes: number;
}

/** What part of the bounds one process may add before it looks at what the others have added. */
const BLIND = 1 / 16;
/** Where room is made, more than one process's blind part is left. */
const FILLED = 1 - 2 * BLIND;
const TRASH = "trash";
/** How long after its disk was full what is deleted is to make room. */
const FULL_MS = 10 * 60 * 1000;

/** The journal's folder and how much lies in it. Other processes use the same one. */
export class UndoStore {
  readonly path: Bytes;
  readonly trash: Bytes;
  readonly #options: UndoStoreOptions;
  /** Known since the last look, oldest first. */
  #groups: Group[] = [];
  #total = 0;
  #added = { bytes: 0, entries: 0 };
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isReady = false;
  #dev = -1n;
  #fullUntil = 0;
  /** Whether something lies in the trash, as far as we know. */
  hasTrash = true;

  constructor(options: UndoStoreOptions) {
    this.#options = options;
    this.path = toBytes(options.dir);
    this.trash = `${this.path}/${TRASH}`;
  }

  /** Whether there is a folder for it at all. */
  get exists(): boolean {
    return this.#options.dir !== "";
  }

  get maxOne(): number {
    return Math.floor(this.#options.maxBytes / 2);
  }

  /** Makes the folder unless it is there; `anew` when it has gone since. */
  ready(anew = false): void {
    if (this.#isReady && !anew) return;
    privateFolder(this.#options.dir);
    privateFolder(`${this.#options.dir}/${TRASH}`);
    this.#dev = lstatSync(this.#options.dir, { bigint: true }).dev;
    this.#isReady = true;
  }

  /** The device that the journal lies on. */
  get dev(): bigint {
    return this.#dev;
  }

  isExpired(id: string): boolean {
    return timeOf(id) + this.#options.maxAgeMs < this.#options.now();
  }

  /** Something of ours has come to lie here. */
  add(bytes: number, entries = 0): void {
    this.#added = { bytes: this.#added.bytes + bytes, entries: this.#added.entries + entries };
  }

  /** Whether it is time to look again, when nobody waits for it. */
  isDue(afterMs: number): boolean {
    return this.#isBlindFor(0) || this.#options.now() - this.#lookedAt > afterMs;
  }

  /** Whether so much more may lie here, once the oldest entries have made room for it. */
  *makeRoom(bytes: number): Work<boolean> {
    if (this.#isBlindFor(bytes)) yield* this.look();
    const { maxBytes, maxEntries } = this.#options;
    const isFull = (part: number): boolean =>
      this.#total + this.#added.bytes + bytes > maxBytes * part ||
      this.#groups.length + this.#added.entries + 1 > maxEntries * part;
    if (isFull(FILLED) && Number.isFinite(this.#lookedAt)) {
      for (const group of this.#groups.filter(({ log }) => log !== "open")) {
        if (!isFull(FILLED)) break;
        yield* this.remove(group);
      }
    }
    return !isFull(1);
  }

  /** Whether the disk stays free enough if so much of it is kept that was to be removed. */
  *hasFree(bytes: number): Work<boolean> {
    const { total, free } = yield* statfs(null, this.path);
    return free - bytes >= total * this.#options.minFree;
  }

  /** That disk took no more; whether it is the journal's own. */
  wasFull(dev: bigint): boolean {
    try {
      this.ready();
    } catch {
      return false;
    }
    if (dev === this.#dev) this.#fullUntil = this.#options.now() + FULL_MS;
    return this.isFull;
  }

  /** Whether its disk took no more a moment ago. */
  get isFull(): boolean {
    return this.#options.now() < this.#fullUntil;
  }

  /** What lies here now, oldest first. */
  *look(): Work<readonly Group[]> {
    const found = new Map<string, { names: string[]; log: Group["log"]; bytes: number }>();
    for (const name of yield* names(this.path)) {
      const parsed = parseName(name);
      if (parsed === undefined) continue;
      const group = found.get(parsed.id) ?? { names: [], log: undefined, bytes: 0 };
      found.set(parsed.id, group);
      group.names.push(name);
      group.bytes += isLog(parsed.part) ? yield* this.#sizeOf(name) : parsed.bytes;
      if (isLog(parsed.part)) group.log = parsed.part;
    }
    this.#groups = [...found].map(([id, group]) => ({ id, ...group })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    this.#total = this.#groups.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#added = { bytes: 0, entries: 0 };
    this.#lookedAt = this.#options.now();
    return this.#groups;
  }

  /** The log first: without it the rest is nobody's. Another process may be doing the same. */
  *remove({ id, names, bytes }: Group): Work<void> {
    for (const part of ["done", "undone", "open"] as const) {
      if (names.includes(logName(id, part))) yield* unlessGone(unlink(null, this.#at(logName(id, part))));
    }
    for (const name of names) if (!isLog(parseName(name)?.part)) yield* this.discard(name);
    if (this.#groups.some((group) => group.id === id)) this.#total -= bytes;
    this.#groups = this.#groups.filter((group) => group.id !== id);
  }

  /** Out of the way at once; what it takes to remove it is done when nobody waits. */
  *discard(name: string): Work<void> {
    const [from, to] = [this.#at(name), `${this.trash}/${name}`];
    yield* unlessGone(asWritable(from, to, () => rename(null, from, to)));
    this.hasTrash = true;
  }

  /** So much may be added by others meanwhile that we have to look. */
  #isBlindFor(bytes: number): boolean {
    const { maxBytes, maxEntries } = this.#options;
    return this.#added.bytes + bytes > maxBytes * BLIND || this.#added.entries > maxEntries * BLIND;
  }

  *#sizeOf(name: string): Work<number> {
    return Number((yield* lstat(null, this.#at(name)))?.size ?? 0n);
  }

  #at(name: string): Bytes {
    return `${this.path}/${name}`;
  }
}

function isLog(part: EntryPart | undefined): part is "open" | "done" | "undone" {
  return part === "open" || part === "done" || part === "undone";
}

function* names(folder: Bytes): Work<readonly Bytes[]> {
  try {
    return yield* readdir(null, folder);
  } catch (thrown) {
    // Nothing was ever kept.
    if (hasCode(thrown, "ENOENT")) return [];
    throw thrown;
  }
}

function* unlessGone(step: Work<void>): Work<void> {
  try {
    yield* step;
  } catch (thrown) {
    if (!hasCode(thrown, "ENOENT")) throw thrown;
  }
}
