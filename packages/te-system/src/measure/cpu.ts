import type { CpuTimes } from "@llmc/procfs";
import type { Sample } from "./samples.js";

export interface CpuUse {
  /** Of all processors together, over the interval; 0 to 100. */
  readonly percent: number;
  /** Time that other virtual machines had while ours wanted it. */
  readonly stealPercent: number;
  readonly iowaitPercent: number;
  readonly cores: readonly number[];
  readonly intervalMs: number;
}

/** Null where the kernel does not tell. */
export function cpuBetween(before: Sample, now: Sample): CpuUse | null {
  if (before.stat === null || now.stat === null) return null;
  const all = shares(before.stat.all, now.stat.all);
  if (all === null) return null;
  const earlier = before.stat.cores;
  return {
    percent: all.busy,
    stealPercent: all.steal,
    iowaitPercent: all.iowait,
    cores: now.stat.cores.map((core, index) => {
      const base = earlier[index];
      return (base && shares(base, core))?.busy ?? 0;
    }),
    intervalMs: Math.round(now.at - before.at),
  };
}

function shares(before: CpuTimes, now: CpuTimes): { busy: number; steal: number; iowait: number } | null {
  // iowait is known to step back, and so is idle where a processor was unplugged.
  const passed = (field: keyof CpuTimes): number => Math.max(0, now[field] - before[field]);
  const waiting = passed("idle") + passed("iowait");
  const working =
    passed("user") + passed("nice") + passed("system") + passed("irq") + passed("softirq") + passed("steal");
  const total = waiting + working;
  if (total === 0) return null;
  const percent = (ticks: number): number => (100 * ticks) / total;
  return { busy: percent(working), steal: percent(passed("steal")), iowait: percent(passed("iowait")) };
}
