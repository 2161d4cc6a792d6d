import { randomBytes } from "node:crypto";
import type { Limits, Meter } from "../limits/meter.js";
import { envOf, waitsFor, type Shape } from "./shape.js";
import { WaitingShell } from "./waiting-shell.js";

/** What is made for one command before it is started. */
export interface Seat {
  readonly meter: Meter;
  /** What it is found by, in the environment of all that it starts. */
  readonly mark: string;
  /** In the bounds already. */
  readonly shell?: WaitingShell;
}

interface Kept {
  readonly key: string;
  readonly limits: Limits;
  readonly seat: Seat & { readonly shell: WaitingShell };
  readonly timer: NodeJS.Timeout;
}

/** From the end of a command: its answer goes out first. */
const PAUSE_MS = 25;
/** Whoever runs one command often runs the next one soon. */
const KEPT_MS = 120_000;
/** What a command may use is a share of what is free, which changes: by that much it does not matter. */
const DRIFT = 0.1;

/**
 * Joining a group of the kernel takes it milliseconds, sometimes many (a grace period), and so does a fork of a large process.
 * Both are done for the next command when one has ended: it finds a seat of its shape taken by a shell that becomes it.
 */
export class Seats {
  readonly #open: (limits: Limits) => Meter;
  #kept: Kept | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #busy = new Set<Promise<void>>();
  #isClosed = false;

  constructor(open: (limits: Limits) => Meter) {
    this.#open = open;
  }

  fresh(limits: Limits): Seat {
    return { meter: this.#open(limits), mark: randomBytes(16).toString("hex") };
  }

  /** The one that waits, if it is of this shape. */
  take(shape: Shape, limits: Limits): Seat | undefined {
    const kept = this.#kept;
    if (kept === undefined || kept.key !== keyOf(shape)) return undefined;
    this.#kept = undefined;
    clearTimeout(kept.timer);
    if (kept.seat.shell.waits && isNear(kept.limits, limits)) return kept.seat;
    this.#await(clear(kept.seat));
    return undefined;
  }

  /** After the end of its command. With the shape, a seat for the next one of that is made ready. */
  async leave(seat: Seat, next?: { readonly shape: Shape; readonly limits: () => Limits }): Promise<void> {
    await clear(seat);
    if (next === undefined || this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#await(this.#prepare(next.shape, next.limits())), PAUSE_MS).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.drop();
  }

  /** Nobody waits any more. */
  async drop(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all(this.#busy);
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept === undefined) return;
    clearTimeout(kept.timer);
    await clear(kept.seat);
  }

  async #prepare(shape: Shape, limits: Limits): Promise<void> {
    const key = keyOf(shape);
    if (this.#kept?.key === key && this.#kept.seat.shell.waits) return;
    await this.drop();
    const seat = this.fresh(limits);
    try {
      const start = waitsFor(shape, seat.meter.joins);
      const shell = await WaitingShell.start(start, { env: envOf(shape, seat.mark), extra: shape.extra });
      const timer = setTimeout(() => this.#await(this.drop()), KEPT_MS).unref();
      this.#kept = { key, limits, timer, seat: { ...seat, shell } };
    } catch {
      // The next command starts by itself, and says why it cannot.
      await clear(seat);
    }
  }

  #await(work: Promise<void>): void {
    const done = work.catch(() => undefined).finally(() => this.#busy.delete(done));
    this.#busy.add(done);
  }
}

async function clear({ shell, meter }: Seat): Promise<void> {
  await shell?.end();
  await meter.close();
}

function keyOf(shape: Shape): string {
  return JSON.stringify(shape);
}

function isNear(made: Limits, asked: Limits): boolean {
  const drift = Math.abs(made.maxMemoryBytes / asked.maxMemoryBytes - 1);
  return drift <= DRIFT && made.maxPids === asked.maxPids;
}
