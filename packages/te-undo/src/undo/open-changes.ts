import { drive, type Work, type OpenScope, done } from "@llmc/te-path";
import type { Locks } from "../locks/locks.js";
import type { Temps } from "../temps/temps.js";
import { recoverAll } from "../store/recover.js";
import { RecordedChange, type RecordingContext, type TakesBack } from "./recorded-change.js";
import { Entries } from "../store/entries.js";
import { createIds } from "../store/entry-id.js";
import type { ChangeFacts, Changes } from "../store/change.js";
import { LastChanges } from "../store/last-changes.js";
import { rollBack } from "./roll-back.js";
import { UndoStore } from "../store/undo-store.js";
import { sweep } from "../store/sweep.js";
import { listEntries, undo, undoLast, type UndoEntry, type Undone, type UndoOptions } from "./undo.js";
import type { UndoStep } from "../store/steps.js";

/** The operator's names for these options, for use in reasons. */
export interface SettingNames {
  readonly enabled: string;
  readonly maxBytes: string;
}

export interface ChangesOptions {
  /** A folder of the journal's own; null: there is no data dir. */
  readonly dir: string | null;
  readonly enabled: boolean;
  /** Of all that is kept; one tree or file may be half of it. */
  readonly maxBytes: number;
  readonly maxAgeHours: number;
  readonly names?: SettingNames | undefined;
  readonly maxEntries?: number;
  /** What part of the disk must stay free when something that is removed is kept. */
  readonly minFree?: number;
  readonly scope: OpenScope;
  readonly temps: Temps;
  readonly locks: Locks;
  readonly now?: () => number;
  /** Told when changes of killed processes were found: what these left beside their files stands in the way of undo. */
  readonly onRecovered?: () => Promise<void>;
  /** Told of each change that a killed process had begun, by its id: it can be taken back. */
  readonly onBegun?: (id: string) => void;
  /** Told what a session has taken back of its own work: that is no surprise to it. */
  readonly onUndone?: (session: string, work: readonly UndoStep[]) => Work<void>;
}

export interface OpenChanges extends Changes {
  /** Takes the change of that id back, whole or not at all. */
  undo(id: string, options: UndoOptions): Promise<Undone>;
  /** The last change of the session that was not taken back. */
  undoLast(options: UndoOptions & { readonly session: string }): Promise<Undone>;
  /** What can be taken back, newest first. */
  list(owner: string, limit: number): Promise<UndoEntry[]>;
  /** Keeps the bounds and tidies up after killed processes. For the start; later it comes by itself. It never fails. */
  sweep(): Promise<void>;
  /** Ends a sweep that is under way. */
  close(): void;
}

const MAX_ENTRIES = 10_000;
const MIN_FREE = 0.05;
const SWEEP_EVERY_MS = 10 * 60 * 1000;

export function openChanges(options: ChangesOptions): OpenChanges {
  const { dir, maxBytes, maxAgeHours, scope, temps, locks, now = Date.now } = options;
  const { maxEntries = MAX_ENTRIES, minFree = MIN_FREE, names } = options;
  const store = new UndoStore({
    dir: dir ?? "",
    maxBytes,
    maxEntries,
    maxAgeMs: maxAgeHours * 3_600_000,
    minFree,
    now,
  });
  const reason = whyOff(options);
  const open = new Set<string>();
  const recovery = { store, open, now, onBegun: options.onBegun };
  const sweeper = new Sweeper((signal) => drive(sweep(recovery), scope.network, signal));
  const lastChanges = new LastChanges();
  const recording: RecordingContext = {
    store,
    newId: createIds(now),
    mostKept: names?.maxBytes ?? "what undo keeps",
    now,
    open,
    rollBack: (work, held, tell) => rollBack({ scope, temps, held }, work, tell),
    afterUndo: (session, work) => options.onUndone?.(session, work) ?? done(undefined),
    ended({ owner, session = owner, kind, paths }, why) {
      // Neither is an undo the last change.
      if (kind === "undo") return;
      const change = why === undefined ? "kept" : { kind, paths: paths.slice(0, 1), reason: why, at: now() };
      lastChanges.note(owner, session, change);
    },
    settled: () => (store.hasTrash || store.isDue(SWEEP_EVERY_MS) ? sweeper.soon() : undefined),
  };
  const begin = (facts: ChangeFacts & TakesBack) => new RecordedChange(recording, facts, reason);
  const entries = new Entries(store);
  const { onRecovered } = options;
  const recover = async (): Promise<void> => {
    try {
      if ((await drive(recoverAll(recovery), scope.network)) > 0) await onRecovered?.();
    } catch {
      // What cannot be read is not there for undo either.
    }
  };
  const { afterUndo } = recording;
  const undoParts = { store, entries, scope, temps, locks, begin, afterUndo, lastChanges };

  return {
    begin,
    wasFull(dev) {
      if (reason === undefined && store.wasFull(dev)) sweeper.soon();
    },
    async undo(id, wanted) {
      await recover();
      return await undo(undoParts, id, wanted);
    },
    async undoLast(wanted) {
      await recover();
      return await undoLast(undoParts, wanted);
    },
    async list(owner, limit) {
      await recover();
      return await drive(listEntries(undoParts, owner, limit), scope.network);
    },
    sweep: () => (dir === null ? Promise.resolve() : sweeper.now()),
    close: () => sweeper.end(),
  };
}

function whyOff({ dir, enabled, names }: ChangesOptions): string | undefined {
  if (!enabled) return names === undefined ? "undo is off" : `undo is off (${names.enabled})`;
  return dir === null ? "there is no data folder" : undefined;
}

/** One sweep at a time, and never in anybody's way. */
class Sweeper {
  readonly #work: (signal: AbortSignal) => Promise<void>;
  readonly #ended = new AbortController();
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(work: (signal: AbortSignal) => Promise<void>) {
    this.#work = work;
  }

  soon(): void {
    if (this.#ended.signal.aborted) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.now();
    }, 0).unref();
  }

  async now(): Promise<void> {
    // One that is under way may have passed by what has come since.
    await this.#running;
    this.#running ??= this.#sweep();
    await this.#running;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#ended.abort();
  }

  async #sweep(): Promise<void> {
    try {
      await this.#work(this.#ended.signal);
    } catch {
      // The next one finds what is left.
    } finally {
      this.#running = undefined;
    }
  }
}
