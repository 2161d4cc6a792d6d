import { setTimeout as sleep } from "node:timers/promises";
import { isDead, readStat, type ProcStat } from "@llmc/te-run";
import type { LimitHit } from "../limits/meter.js";
import type { CommandTree } from "./command-tree.js";
import { childrenOf, descendantsOf } from "./offspring.js";

const GRACE_MS = 500;
const KILL_MS = 5_000;
/** From the start until a program is to be seen; on a busy machine a sandbox is slow to set up. */
const APPEAR_MS = 5_000;
/** One that hangs in the kernel does not stop: about a second. */
const MAX_STOPS = 50;

export interface BoxTreeOptions {
  readonly isReaped: () => boolean;
  /** Set if `script` (for a terminal) or a reporting shell runs between the init and the program. */
  readonly isWrapped: boolean;
  readonly limitHit: () => LimitHit | undefined;
}

/**
 * What runs in a PID namespace: the one that we started (bwrap, unshare), below it the init of the namespace, below that
 * the program. Whoever is orphaned goes to the init, and when the init dies the kernel ends them all.
 */
export class BoxTree implements CommandTree {
  readonly #outer: number;
  readonly #options: BoxTreeOptions;
  #init: ProcStat | undefined;
  /** How often the outer one was told to stop. */
  #stops = 0;

  constructor(outer: number, options: BoxTreeOptions) {
    this.#outer = outer;
    this.#options = options;
  }

  async programPid(): Promise<number | undefined> {
    const deadline = performance.now() + APPEAR_MS;
    // Nobody tells when the init forks, so this is asked in short steps, and only when somebody wants to know.
    for (let pause = 1; ; pause = Math.min(2 * pause, 20)) {
      const pid = this.#program();
      if (pid !== undefined) return pid;
      if (this.#options.isReaped() || performance.now() > deadline) return undefined;
      await sleep(pause);
    }
  }

  /** The group of the program, as its terminal would, but not the init, which may be of the same group. */
  async signal(signal: NodeJS.Signals): Promise<boolean> {
    const program = await this.programPid();
    const group = program === undefined ? undefined : readStat(program)?.group;
    const init = this.#livingInit();
    if (program === undefined || group === undefined || init === undefined) return false;
    const members = descendantsOf(init.pid).filter((pid) => readStat(pid)?.group === group);
    return members.filter((pid) => send(pid, signal)).length > 0;
  }

  async end(graceMs = GRACE_MS): Promise<readonly number[]> {
    const asked = new Set<number>();
    await this.#outlast(graceMs, () => {
      for (const pid of this.members()) {
        if (asked.has(pid)) continue;
        asked.add(pid);
        send(pid, "SIGTERM");
      }
    });
    await this.#outlast(KILL_MS, () => {
      const init = this.#livingInit();
      // The one that we started goes only where there is no init (yet): it waits for that, and with it for the last in
      // the box. Its own death ends the box too, but nobody would tell us when.
      if (init !== undefined) send(init.pid, "SIGKILL");
      else if (!this.#options.isReaped()) this.#endOuter();
    });
    if (this.#isOver()) return [];
    // The init goes last: the kernel lets it wait for all others.
    return [...this.members(), ...(this.#init === undefined ? [] : [this.#init.pid])].filter((pid) => isAlive(pid));
  }

  limitHit(): LimitHit | undefined {
    return this.#options.limitHit();
  }

  /**
   * bwrap that is killed after it has forked the init and before it lets it go on leaves it behind, waiting for ever. So
   * it is stopped first, and goes when it is seen to have none.
   */
  #endOuter(): void {
    const isStopped = readStat(this.#outer)?.state === "T";
    this.#stops += 1;
    if (!isStopped && this.#stops <= MAX_STOPS) send(this.#outer, "SIGSTOP");
    else if (this.#livingInit() === undefined) send(this.#outer, "SIGKILL");
  }

  /** All but the init, which is ours. */
  members(most?: number): number[] {
    const init = this.#livingInit();
    return init === undefined ? [] : descendantsOf(init.pid, most);
  }

  #program(): number | undefined {
    const init = this.#livingInit();
    const first = init === undefined ? undefined : childrenOf(init.pid)[0];
    if (first === undefined || !this.#options.isWrapped) return first;
    return childrenOf(first)[0];
  }

  #livingInit(): ProcStat | undefined {
    // As long as we have not heard of the end of its parent, the pid of that is its own.
    if (this.#init === undefined && !this.#options.isReaped()) {
      const [pid] = childrenOf(this.#outer);
      this.#init = pid === undefined ? undefined : readStat(pid);
    }
    const now = this.#init === undefined ? undefined : readStat(this.#init.pid);
    return now !== undefined && now.start === this.#init?.start && !isDead(now) ? now : undefined;
  }

  #isOver(): boolean {
    return this.#livingInit() === undefined && this.#options.isReaped();
  }

  async #outlast(ms: number, act: () => void): Promise<void> {
    const deadline = performance.now() + ms;
    for (let pause = 2; !this.#isOver() && performance.now() < deadline; pause = Math.min(2 * pause, 25)) {
      act();
      await sleep(Math.min(pause, Math.max(1, deadline - performance.now())));
    }
  }
}

function isAlive(pid: number): boolean {
  const stat = readStat(pid);
  return stat !== undefined && !isDead(stat);
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    // ESRCH: it was faster.
    return false;
  }
}
