import { setTimeout as sleep } from "node:timers/promises";
import type { CgroupLimits, InterfaceCounters, Machine, MachineStat } from "@llmc/procfs";

/** What only grows: two of them make figures over the time between. */
export interface Sample {
  readonly at: number;
  readonly stat: MachineStat | null;
  readonly vm: { readonly oomKills: number | null; readonly swappedPages: number } | null;
  readonly interfaces: readonly InterfaceCounters[] | null;
  readonly group: CgroupLimits | null;
}

export const MAX_AGE_MS = 10_000;
/** Ticks come by the hundredth of a second: what is much shorter measures mostly that. */
export const MIN_AGE_MS = 100;
export const GOOD_AGE_MS = 1000;

/** The samples of earlier calls, so that the next one has an interval to measure over. */
export class Samples {
  readonly #machine: Machine;
  readonly #now: () => number;
  #kept: readonly Sample[] = [];

  constructor(machine: Machine, now: () => number) {
    this.#machine = machine;
    this.#now = now;
  }

  /** The newest that is old enough for good figures, else the oldest of those that will do. */
  base(): Sample | undefined {
    const now = this.#now();
    const usable = this.#kept.filter(({ at }) => now - at >= MIN_AGE_MS && now - at <= MAX_AGE_MS);
    return usable.findLast(({ at }) => now - at >= GOOD_AGE_MS) ?? usable[0];
  }

  take(): Sample {
    const machine = this.#machine;
    const vm = machine.vmstat();
    return {
      at: this.#now(),
      stat: machine.stat(),
      vm: vm && {
        oomKills: vm.get("oom_kill") ?? null,
        swappedPages: (vm.get("pswpin") ?? 0) + (vm.get("pswpout") ?? 0),
      },
      interfaces: machine.interfaces(),
      group: machine.ownCgroup(),
    };
  }

  keep(sample: Sample): void {
    const last = this.#kept.at(-1);
    if (last !== undefined && sample.at - last.at < GOOD_AGE_MS) return;
    this.#kept = [...this.#kept.slice(-1), sample];
  }

  /** For a call that comes first, or long after the last. */
  async takeBase(signal: AbortSignal | undefined): Promise<Sample> {
    const base = this.take();
    this.keep(base);
    await sleep(MIN_AGE_MS, undefined, { signal });
    return base;
  }
}
