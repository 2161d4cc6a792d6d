import { hasCode, readdir, rename, type Work } from "@llmc/te-path";
import { fateOf } from "../locks/process-mark.js";
import { timeOf } from "./entry-id.js";
import { readLog, type Entry } from "./entry-log.js";
import { logName, parseName } from "./entry-name.js";
import type { UndoStore } from "./undo-store.js";

/** A process that cannot be seen from here has ended by then. */
const UNSEEN_MS = 24 * 60 * 60 * 1000;

export interface RecoverOptions {
  readonly store: UndoStore;
  /** Entries that are being written here. */
  readonly open: ReadonlySet<string>;
  readonly now: () => number;
  /** Told of each change that is found to have been begun only. */
  readonly onBegun?: ((id: string) => void) | undefined;
}

/** What was found of a change that nobody has finished: `nothing` to take back, written by somebody who `lives`. */
export type Begun = "adopted" | "nothing" | "lives" | "unreadable";

/** The change of a process that was killed: what it had written down can be taken back. */
export function* recoverBegun({ store, now, onBegun }: RecoverOptions, id: string): Work<Begun> {
  const path = `${store.path}/${logName(id, "open")}`;
  const entry = yield* readLog(path);
  if (entry === undefined) return "unreadable";
  if (isWritten(entry, now() - timeOf(id))) return "lives";
  if (entry.steps.length === 0 || store.isExpired(id)) return "nothing";
  try {
    yield* rename(null, path, `${store.path}/${logName(id, "done")}`);
    onBegun?.(id);
  } catch (thrown) {
    // Another process was faster.
    if (!hasCode(thrown, "ENOENT")) throw thrown;
  }
  return "adopted";
}

/** All of them, so that who comes after a crash is told of them at once. How many there were. */
export function* recoverAll(options: RecoverOptions): Work<number> {
  const { store, open } = options;
  if (!store.exists) return 0;
  let adopted = 0;
  for (const name of yield* readdir(null, store.path)) {
    const { id, part } = parseName(name) ?? {};
    if (id === undefined || part !== "open" || open.has(id)) continue;
    if ((yield* recoverBegun(options, id)) === "adopted") adopted += 1;
  }
  return adopted;
}

function isWritten({ head }: Entry, age: number): boolean {
  const fate = fateOf(head.writer);
  return fate === "alive" || (fate === "unseen" && age < UNSEEN_MS);
}
