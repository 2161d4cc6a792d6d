import { constants } from "node:fs";
import { OpsError } from "@llmc/errors";
import { close, open, put, readdir, rename, truncate, type Work } from "@llmc/te-path";
import type { Bytes } from "@llmc/names";
import { filesOf } from "./entry-content.js";
import { addLine, readHead, readLog, type Entry, type Head, type Line } from "./entry-log.js";
import { isEntryId, shortName } from "./entry-id.js";
import { logName, parseName } from "./entry-name.js";
import type { UndoStore } from "./undo-store.js";
import type { Anew } from "./steps.js";

export interface Located {
  readonly entry: Entry;
  readonly isUndone: boolean;
}

/** Heads of entries are read again and again, to find the last ones of somebody. */
const REMEMBERED = 10_000;
/** How many that were taken back are looked through. */
const LOOKED_THROUGH = 1000;

/** The finished entries, as they are read. */
export class Entries {
  readonly #store: UndoStore;
  readonly #heads = new Map<string, Head>();

  constructor(store: UndoStore) {
    this.#store = store;
  }

  *find(id: string): Work<Located | undefined> {
    if (!this.#store.exists || !isEntryId(id) || this.#store.isExpired(id)) return undefined;
    const entry = yield* readLog(this.#path(logName(id, "done")));
    if (entry !== undefined) return { entry, isUndone: false };
    const undone = yield* readLog(this.#path(logName(id, "undone")));
    return undone && { entry: undone, isUndone: true };
  }

  /** Returns the ids of all finished entries with that short name. */
  *namedShort(short: string): Work<string[]> {
    const ids = [...(yield* this.#ids("done")), ...(yield* this.#ids("undone"))];
    return ids.filter((id) => shortName(id) === short);
  }

  /** Newest first, until `visit` has seen enough. */
  *each(visit: (id: string, head: Head) => boolean | Work<boolean>): Work<void> {
    for (const id of yield* this.#ids("done")) {
      if (this.#store.isExpired(id)) return;
      const head = yield* this.#headOf(id);
      const isEnough = head === undefined ? false : visit(id, head);
      if (typeof isEnough === "boolean" ? isEnough : yield* isEnough) return;
    }
  }

  /** Whether any of the last changes that were taken back was of that session. */
  *hasTakenBack(owner: string, session: string): Work<boolean> {
    for (const id of (yield* this.#ids("undone")).slice(0, LOOKED_THROUGH)) {
      const entry = yield* readLog(this.#path(logName(id, "undone")));
      if (entry?.undoneBy !== undefined && entry.head.owner === owner && entry.head.session === session) return true;
    }
    return false;
  }

  /** So far it is taken back; for whoever comes after us if we are killed before the end. */
  goBackTo(id: string, count: number): void {
    try {
      addLine(this.#path(logName(id, "done")), { backTo: count });
    } catch {
      // Then each step has to show by itself whether it is still made.
    }
  }

  /** Taken back: what it held is of no use any more, but that it was is remembered. */
  *retire(id: string, { entry }: Located, by: string | undefined, became: readonly Anew[]): Work<void> {
    const path = this.#path(logName(id, "undone"));
    yield* rename(null, this.#path(logName(id, "done")), path);
    const all = [...anewIn(entry), ...became];
    const lines: readonly Line[] = [{ head: entry.head }, { undone: by ?? "" }, { became: all }];
    const file = yield* open(null, path, constants.O_WRONLY | constants.O_NOFOLLOW);
    try {
      yield* truncate(file, 0);
      yield* put(file, Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join("")));
    } finally {
      yield* close(file);
    }
    for (const name of filesOf(entry, id)) yield* this.#store.discard(name);
  }

  /** Which files were made anew since, when changes were taken back. */
  *becameSince(id: string): Work<Anew[]> {
    const became: Anew[] = [];
    for (const part of ["undone", "done"] as const) {
      for (const each of yield* this.#ids(part)) {
        if (each < id) break;
        const entry = yield* readLog(this.#path(logName(each, part)));
        if (entry !== undefined) became.push(...anewIn(entry));
      }
    }
    return became;
  }

  *#ids(part: "done" | "undone"): Work<string[]> {
    const ids: string[] = [];
    if (!this.#store.exists) return ids;
    for (const name of yield* namesIn(this.#store.path)) {
      const parsed = parseName(name);
      if (parsed?.part === part) ids.push(parsed.id);
    }
    return ids.toSorted().toReversed();
  }

  *#headOf(id: string): Work<Head | undefined> {
    const known = this.#heads.get(id);
    if (known !== undefined) return known;
    const head = yield* readHead(this.#path(id));
    if (this.#heads.size >= REMEMBERED) this.#heads.clear();
    if (head !== undefined) this.#heads.set(id, head);
    return head;
  }

  #path(name: string): Bytes {
    return `${this.#store.path}/${name}`;
  }
}

function anewIn({ all, became }: Entry): Anew[] {
  return [...became, ...all.flatMap((step) => ("anew" in step ? [step.anew] : []))];
}

function* namesIn(folder: Bytes): Work<readonly Bytes[]> {
  try {
    return yield* readdir(null, folder);
  } catch (thrown) {
    // Nothing was ever kept, or nothing can be read.
    if (OpsError.is(thrown)) throw thrown;
    return [];
  }
}
