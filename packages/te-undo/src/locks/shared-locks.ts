import { WriteFailedError } from "@llmc/errors";
import { hasCode } from "@llmc/te-path";
import type { Bytes } from "@llmc/names";
import { LockFolder, PATIENCE_MS } from "./lock-folder.js";
import { nap } from "./nap.js";
import type { Turn } from "./turns.js";

const LONGEST_PAUSE_MS = 16;

export interface SharedLocksOptions {
  readonly dir: string;
  readonly waitMs: number;
  readonly onProblem: ((message: string) => void) | undefined;
}

/** Locks of several processes. Never in the way: where the folder cannot be used they are taken for free. */
export class SharedLocks {
  readonly #folder: LockFolder;
  readonly #waitMs: number;
  readonly #onProblem: ((message: string) => void) | undefined;
  readonly #ended = new AbortController();
  #isTold = false;

  constructor({ dir, waitMs, onProblem }: SharedLocksOptions) {
    this.#folder = new LockFolder(dir);
    this.#waitMs = waitMs;
    this.#onProblem = onProblem;
  }

  /** False: another process has it. Undefined: locks cannot be shared, and it is had for free. */
  takeNow(name: Bytes): boolean | undefined {
    return this.#try(() => this.#folder.take(name));
  }

  /** Whether what was taken is surely still had: nobody can have taken us for dead. */
  isSure(name: Bytes): boolean {
    return this.#folder.isSure(name);
  }

  /** False while that cannot be done at once: then it takes `drop`. */
  dropNow(name: Bytes): boolean {
    return this.#try(() => this.#folder.drop(name)) !== false;
  }

  /** Waits for another process that has it, but no longer than is allowed. Returns what gives it back. */
  async take(name: Bytes, turn: Turn, shown: string, signal: AbortSignal | undefined): Promise<() => Promise<void>> {
    for (let pause = 1; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const taken = this.takeNow(name);
      if (taken !== false) turn.line.blockedSince = undefined;
      if (taken !== false) return taken === true ? () => this.drop(name) : async () => {};
      await this.#pause(turn, pause, shown, signal);
    }
  }

  async drop(name: Bytes): Promise<void> {
    const end = performance.now() + this.#waitMs;
    while (!this.dropNow(name) && performance.now() < end) await nap(1, { held: true });
  }

  /** What cannot be told about at once can be when nobody has given a sign of life for long enough. */
  async sweep(): Promise<void> {
    const { signal } = this.#ended;
    try {
      if ((await this.#folder.sweep(signal)) === 0) return;
      await nap(PATIENCE_MS, { signal, held: false });
      await this.#folder.sweep(signal);
    } catch (thrown) {
      if (!signal.aborted && !hasCode(thrown, "ENOENT")) this.#tell(thrown);
    }
  }

  close(): void {
    this.#ended.abort();
    this.#try(() => this.#folder.close());
  }

  /** All who wait in one line have waited since its first one began to; a late one has its own time. */
  async #pause({ line, since }: Turn, pause: number, shown: string, signal: AbortSignal | undefined): Promise<void> {
    const now = performance.now();
    line.blockedSince ??= now;
    if (now >= Math.max(line.blockedSince, since) + this.#waitMs) {
      throw new WriteFailedError(shown, "another server process is writing it", { hint: "Try again in a moment." });
    }
    // Two who wait for the same must not keep in step.
    await nap(pause * (0.5 + Math.random()), { signal, held: true });
  }

  #try<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (thrown) {
      this.#tell(thrown);
      return undefined;
    }
  }

  #tell(thrown: unknown): void {
    if (!this.#isTold) {
      this.#onProblem?.(
        `Locks hold within this server process only, not between several: ${(thrown as Error).message}`,
      );
    }
    this.#isTold = true;
  }
}
