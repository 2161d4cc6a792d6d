import type { Process } from "./process-table.js";

/** What a process had used of the processors by then. */
export type Ticks = ReadonlyMap<number, { readonly startTicks: number; readonly cpuTicks: number }>;

export interface Sample {
  readonly at: number;
  readonly ticks: Ticks;
}

export const MAX_AGE_MS = 10_000;
/** Ticks come by the hundredth of a second: what is much shorter measures mostly that. */
export const MIN_AGE_MS = 100;
const GOOD_AGE_MS = 1000;

/** The samples of earlier readings, so that the next one has an interval to measure over. */
export class CpuSamples {
  #kept: readonly Sample[] = [];

  /** The newest that is old enough for good figures, else the oldest of those that will do. */
  baseAt(now: number): Sample | undefined {
    const usable = this.#kept.filter(({ at }) => now - at >= MIN_AGE_MS && now - at <= MAX_AGE_MS);
    return usable.findLast(({ at }) => now - at >= GOOD_AGE_MS) ?? usable[0];
  }

  keep(sample: Sample): void {
    const last = this.#kept.at(-1);
    if (last !== undefined && sample.at - last.at < GOOD_AGE_MS) return;
    this.#kept = [...this.#kept.slice(-1), sample];
  }
}

export function ticksOf(processes: readonly Pick<Process, "pid" | "startTicks" | "cpuTicks">[]): Ticks {
  return new Map(processes.map(({ pid, startTicks, cpuTicks }) => [pid, { startTicks, cpuTicks }]));
}

/** Ticks since the base; all of them for a process that started since. */
export function ticksSince({ ticks }: Sample, { pid, startTicks, cpuTicks }: Process): number {
  const before = ticks.get(pid);
  const used = before?.startTicks === startTicks ? cpuTicks - before.cpuTicks : cpuTicks;
  // The kernel's sums are rounded and may step back by one.
  return Math.max(0, used);
}
