import type { Bytes } from "@llmc/names";
import type { SharedLocks } from "./shared-locks.js";

/** A caller that never lets the event loop turn keeps so many at most. */
const MOST = 8;

/** Locks whose work is done are given back once the event loop turns: no answer waits for that, and the next write to the same file finds its own. */
export class KeptLocks {
  readonly #shared: SharedLocks;
  readonly #names = new Set<Bytes>();

  constructor(shared: SharedLocks) {
    this.#shared = shared;
  }

  /** As SharedLocks has it. */
  take(name: Bytes): boolean | undefined {
    if (!this.#names.has(name)) return this.#shared.takeNow(name);
    const isSure = this.#shared.isSure(name);
    if (!isSure && !this.#shared.dropNow(name)) return false;
    this.#names.delete(name);
    return isSure || this.#shared.takeNow(name);
  }

  keep(name: Bytes): void {
    this.#names.add(name);
    if (this.#names.size === 1) setImmediate(() => this.giveBackAll());
    if (this.#names.size >= MOST) this.giveBackAll();
  }

  async giveBack(name: Bytes): Promise<void> {
    if (this.#names.delete(name)) await this.#shared.drop(name);
  }

  giveBackAll(): void {
    const names = [...this.#names];
    this.#names.clear();
    for (const name of names) if (!this.#shared.dropNow(name)) void this.#shared.drop(name);
  }
}
