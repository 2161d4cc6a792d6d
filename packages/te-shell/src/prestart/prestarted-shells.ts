import { randomBytes } from "node:crypto";
import { doServe, type Limits, type Meter } from "../limits/meter.js";
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

/** What the next seat is to be like. */
export interface Next {
  readonly shape: Shape;
  readonly limits: () => Limits;
}

interface Kept {
  readonly key: string;
  readonly limits: Limits;
  readonly seat: Seat & { readonly shell: WaitingShell };
  readonly timer: NodeJS.Timeout;
}

/** From the start of a command: by then it runs for long. */
const LONG_MS = 50;
/** From the end of a command: its answer goes out first. */
const ENDED_MS = 25;
/** Whoever runs one command often runs the next one soon. */
const KEPT_MS = 120_000;

/**
 * Joining a group of the kernel takes it milliseconds, sometimes many (a grace period), and so does a fork of a large process.
 * Both are done for the next command while one runs or when it has ended: it finds a seat of its shape taken by a shell that becomes it.
 */
export class Seats {
  readonly #open: (limits: Limits) => Meter;
  #kept: Kept | undefined;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  readonly #busy = new Set<Promise<void>>();
  /** When the last command ended. */
  #left = Number.NEGATIVE_INFINITY;
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
    if (isUsable(kept, limits)) return kept.seat;
    this.#await(clear(kept.seat));
    return undefined;
  }

  /** Its command has started. */
  started(next: Next | undefined): void {
    // Where they come one right behind the other there is no time but that in which one runs.
    this.#plan(next, performance.now() - this.#left < LONG_MS ? 0 : LONG_MS);
  }

  /** After the end of its command. */
  async leave(seat: Seat, next: Next | undefined): Promise<void> {
    await clear(seat);
    this.#left = performance.now();
    this.#plan(next, ENDED_MS);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.drop();
  }

  /** Nobody waits any more. */
  async drop(): Promise<void> {
    this.#forget();
    await Promise.all(this.#busy);
    await this.#empty();
  }

  async #empty(): Promise<void> {
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept === undefined) return;
    clearTimeout(kept.timer);
    await clear(kept.seat);
  }

  #plan(next: Next | undefined, ms: number): void {
    if (next === undefined || this.#isClosed) return;
    this.#forget();
    const prepare = () => this.#await(this.#prepare(next));
    if (ms === 0) this.#immediate = setImmediate(prepare);
    else this.#timer = setTimeout(prepare, ms).unref();
  }

  #forget(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
  }

  async #prepare({ shape, limits: limitsNow }: Next): Promise<void> {
    await Promise.all(this.#busy);
    const [key, limits] = [keyOf(shape), limitsNow()];
    if (this.#kept?.key === key && isUsable(this.#kept, limits)) return;
    await this.#empty();
    const seat = this.fresh(limits);
    try {
      const start = waitsFor(shape, seat.meter.joins);
      const shell = await WaitingShell.start(start, { env: envOf(shape, seat.mark), extra: shape.extra });
      const timer = setTimeout(() => this.#await(this.#empty()), KEPT_MS).unref();
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

function isUsable({ limits, seat }: Kept, asked: Limits): boolean {
  return doServe(limits, asked) && !seat.shell.hasEnded;
}
