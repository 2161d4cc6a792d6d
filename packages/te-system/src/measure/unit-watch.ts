import { atMost } from "../ask/at-most.js";

export interface UnitWatchOptions {
  /** Asks systemd; may take its time, or fail. */
  readonly ask: () => Promise<readonly string[]>;
  /** Whether systemd runs here at all: elsewhere nothing is started. */
  readonly isThere: () => boolean;
  readonly now: () => number;
}

const EVERY_MS = 30_000;
/** The first look waits so long at most; others take what is known, and the answer comes with the next. */
const PATIENCE_MS = 250;

/** Which units have failed, asked now and then: no file of the kernel has that, and a program costs milliseconds. */
export class UnitWatch {
  readonly #options: UnitWatchOptions;
  #failed: readonly string[] = [];
  #askedAt = Number.NEGATIVE_INFINITY;
  #isKnown = false;
  #asking: Promise<void> | undefined;

  constructor(options: UnitWatchOptions) {
    this.#options = options;
  }

  async failed(): Promise<readonly string[]> {
    const now = this.#options.now();
    if (this.#asking === undefined && now - this.#askedAt >= EVERY_MS) {
      this.#askedAt = now;
      if (this.#options.isThere()) this.#asking = this.#ask();
    }
    if (this.#asking !== undefined && !this.#isKnown) await atMost(this.#asking, PATIENCE_MS);
    return this.#failed;
  }

  async #ask(): Promise<void> {
    try {
      this.#failed = await this.#options.ask();
    } catch {
      // Who wants to know why asks linux.sys_services, which says so.
      this.#failed = [];
    }
    this.#isKnown = true;
    this.#asking = undefined;
  }
}
