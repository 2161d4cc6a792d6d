import { randomBytes } from "node:crypto";
import { doServe, type Limits, type Meter } from "../limits/meter.js";
import { envOf, waitsFor, type Shape } from "./shape.js";
import { PrestartedShell } from "./prestarted-shell.js";

/** Made for one command before it is started. */
interface Prepared {
  readonly meter: Meter;
  /** Marks the environment of every process of the command, so that they can be found. */
  readonly mark: string;
  /** Prestarted inside the limits. */
  readonly shell?: PrestartedShell;
}

/** Describes the shell to prestart for the next command. */
interface Next {
  readonly shape: Shape;
  readonly limits: () => Limits;
}

interface Kept {
  readonly key: string;
  readonly limits: Limits;
  readonly prepared: Prepared & { readonly shell: PrestartedShell };
  readonly timer: NodeJS.Timeout;
}

/** Milliseconds from the start of a command until it counts as long. */
const LONG_MS = 50;
/** Milliseconds from the end of a command to the next prestart, so that the answer goes out first. */
const ENDED_MS = 25;
/** Milliseconds that a prestarted shell waits, because a client often runs another command soon. */
const KEPT_MS = 120_000;

/** The meter, the mark and perhaps the prestarted shell of a launch, until the launch releases its resources. */
export class LaunchResources implements Prepared {
  readonly meter: Meter;
  readonly mark: string;
  readonly shell?: PrestartedShell;
  readonly #shells: PrestartedShells;
  readonly #next: Next | undefined;

  constructor(prepared: Prepared, shells: PrestartedShells, next: Next | undefined) {
    this.meter = prepared.meter;
    this.mark = prepared.mark;
    if (prepared.shell !== undefined) this.shell = prepared.shell;
    this.#shells = shells;
    this.#next = next;
  }

  /** Plans the next shell. Call this when the command has started. */
  started(): void {
    this.#shells.started(this.#next);
  }

  /** Releases the resources after the end of the command, or if the command was never started. */
  async release(): Promise<void> {
    await this.#shells.giveBack(this, this.#next);
  }
}

/**
 * Prestarts a shell for the next command, because joining a cgroup takes milliseconds, sometimes many (a grace period),
 * and so does the fork of a large process. Both happen while a command runs or after its end, so that a shell inside the
 * limits can become the next command of the same shape.
 */
export class PrestartedShells {
  readonly #open: (limits: Limits) => Meter;
  #kept: Kept | undefined;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  readonly #busy = new Set<Promise<void>>();
  /** When the last command ended. */
  #lastEnd = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(open: (limits: Limits) => Meter) {
    this.#open = open;
  }

  /** Returns resources for one launch. `mayPrestart` allows a prestarted shell for this command and the next one. */
  reserve(shape: Shape, limits: () => Limits, mayPrestart: boolean): LaunchResources {
    const prepared = (mayPrestart ? this.#take(shape, limits()) : undefined) ?? this.#prepareAnew(limits());
    return new LaunchResources(prepared, this, mayPrestart ? { shape, limits } : undefined);
  }

  /** Called by resources whose command has started. */
  started(next: Next | undefined): void {
    // Commands in quick succession leave no time in between, so the next shell is prestarted during the run.
    this.#plan(next, performance.now() - this.#lastEnd < LONG_MS ? 0 : LONG_MS);
  }

  /** Called by resources whose command has ended. */
  async giveBack(prepared: Prepared, next: Next | undefined): Promise<void> {
    await clear(prepared);
    this.#lastEnd = performance.now();
    this.#plan(next, ENDED_MS);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.drop();
  }

  /** Ends the shell that waits. */
  async drop(): Promise<void> {
    this.#forget();
    await Promise.all(this.#busy);
    await this.#empty();
  }

  /** Takes the shell that waits, if it is of this shape. */
  #take(shape: Shape, limits: Limits): Prepared | undefined {
    const kept = this.#kept;
    if (kept === undefined || kept.key !== keyOf(shape)) return undefined;
    this.#kept = undefined;
    clearTimeout(kept.timer);
    if (isUsable(kept, limits)) return kept.prepared;
    this.#await(clear(kept.prepared));
    return undefined;
  }

  #prepareAnew(limits: Limits): Prepared {
    return { meter: this.#open(limits), mark: randomBytes(16).toString("hex") };
  }

  async #empty(): Promise<void> {
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept === undefined) return;
    clearTimeout(kept.timer);
    await clear(kept.prepared);
  }

  #plan(next: Next | undefined, ms: number): void {
    if (next === undefined || this.#isClosed) return;
    this.#forget();
    const prestart = () => this.#await(this.#prestart(next));
    if (ms === 0) this.#immediate = setImmediate(prestart);
    else this.#timer = setTimeout(prestart, ms).unref();
  }

  #forget(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
  }

  async #prestart({ shape, limits: limitsNow }: Next): Promise<void> {
    await Promise.all(this.#busy);
    const [key, limits] = [keyOf(shape), limitsNow()];
    if (this.#kept?.key === key && isUsable(this.#kept, limits)) return;
    await this.#empty();
    const prepared = this.#prepareAnew(limits);
    try {
      const start = waitsFor(shape, prepared.meter.joins);
      const shell = await PrestartedShell.start(start, { env: envOf(shape, prepared.mark), extra: shape.extra });
      const timer = setTimeout(() => this.#await(this.#empty()), KEPT_MS).unref();
      this.#kept = { key, limits, timer, prepared: { ...prepared, shell } };
    } catch {
      // The next command starts without a shell, and reports the problem itself.
      await clear(prepared);
    }
  }

  #await(work: Promise<void>): void {
    const done = work.catch(() => undefined).finally(() => this.#busy.delete(done));
    this.#busy.add(done);
  }
}

async function clear({ shell, meter }: Prepared): Promise<void> {
  await shell?.end();
  await meter.close();
}

function keyOf(shape: Shape): string {
  return JSON.stringify(shape);
}

function isUsable({ limits, prepared }: Kept, asked: Limits): boolean {
  return doServe(limits, asked) && !prepared.shell.hasEnded;
}
