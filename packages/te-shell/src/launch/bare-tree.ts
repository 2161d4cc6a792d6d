import { endTree, ProcessTree } from "@llmc/te-run";
import type { LimitHit } from "../limits/meter.js";
import type { CommandTree } from "./command-tree.js";

/** What runs without a namespace: found by session, parents and the mark in its environment. */
export class BareTree implements CommandTree {
  readonly #pid: number;
  readonly #isReaped: () => boolean;
  readonly #scope: ProcessTree;
  readonly #limitHit: () => LimitHit | undefined;

  constructor(pid: number, mark: string, isReaped: () => boolean, limitHit: () => LimitHit | undefined) {
    this.#pid = pid;
    this.#isReaped = isReaped;
    this.#scope = new ProcessTree(pid, mark, isReaped);
    this.#limitHit = limitHit;
  }

  async programPid(): Promise<number | undefined> {
    return this.#isReaped() ? undefined : this.#pid;
  }

  async signal(signal: NodeJS.Signals): Promise<boolean> {
    if (this.#isReaped()) return false;
    try {
      // It leads a group of its own: it was started so.
      return process.kill(-this.#pid, signal);
    } catch {
      return false;
    }
  }

  end(graceMs?: number): Promise<readonly number[]> {
    return endTree(this.#scope, graceMs === 0, graceMs);
  }

  limitHit(): LimitHit | undefined {
    return this.#limitHit();
  }
}
