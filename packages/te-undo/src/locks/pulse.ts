import { uptime } from "node:os";
import type { Stat } from "@llmc/te-path";

/**
 * Whoever cannot be seen from here (a process in another container) is judged by its pulse: while it works it touches its
 * file, and one that has not been touched for long belongs to nobody. Clocks are not compared, for they may differ: what
 * counts is how long the watcher itself has seen no change. Only a last beat from before this machine's start is enough.
 */
export interface PulseOptions {
  readonly everyMs: number;
  /** After a pause this long others may take us for dead. */
  readonly patienceMs: number;
  readonly beat: () => void;
  readonly isBusy: () => boolean;
}

/** Beats while there is work. */
export class Pulse {
  readonly #options: PulseOptions;
  #last = Number.NEGATIVE_INFINITY;
  #paused = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PulseOptions) {
    this.#options = options;
  }

  /** Before work begins: after a rest the file's time is old, and a watcher must not take that for death. */
  quicken(): void {
    const { everyMs } = this.#options;
    if (performance.now() - this.#last >= everyMs) this.#strike();
    this.#timer ??= setInterval(() => this.#next(), everyMs).unref();
  }

  /** Whether the process stood still since then, for so long that others may have noticed. */
  hasPausedSince(time: number): boolean {
    return this.#paused > time || this.#isLate();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #next(): void {
    if (!this.#options.isBusy()) return this.stop();
    try {
      this.#strike();
    } catch {
      // Nobody is there to be told. Work that begins will strike in its turn, and fail where it can be told.
    }
  }

  #strike(): void {
    const late = this.#isLate();
    this.#options.beat();
    this.#last = performance.now();
    if (late) this.#paused = this.#last;
  }

  #isLate(): boolean {
    return performance.now() - this.#last >= this.#options.patienceMs / 2;
  }
}

const MAX_WATCHED = 10_000;

/** What a watcher saw of the pulses of others. */
export class Sightings {
  readonly #patienceMs: number;
  readonly #seen = new Map<string, { readonly stamp: string; readonly since: number }>();

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  /** Whether the file has stayed the same for so long that nobody can be behind it. */
  isStill(name: string, { dev, ino, mtimeNs }: Pick<Stat, "dev" | "ino" | "mtimeNs">): boolean {
    if (Number(mtimeNs / 1_000_000n) < Date.now() - uptime() * 1000 - this.#patienceMs) return true;
    const stamp = `${dev}:${ino}:${mtimeNs}`;
    const before = this.#seen.get(name);
    if (before?.stamp === stamp) return performance.now() - before.since >= this.#patienceMs;
    this.#seen.set(name, { stamp, since: performance.now() });
    if (this.#seen.size > MAX_WATCHED) this.#seen.delete(this.#seen.keys().next().value as string);
    return false;
  }
}
