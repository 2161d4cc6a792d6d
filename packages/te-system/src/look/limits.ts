import type { CgroupLimits } from "@llmc/procfs";
import type { Facts } from "./facts.js";

/** What the control groups around this server leave it. */
export interface Limits {
  readonly group: CgroupLimits;
  /** Of the processors it may use, over the interval. */
  readonly cpuPercent: number | null;
  readonly throttledPercent: number | null;
  /** Whether any limit is less than the machine has. */
  readonly isLimited: boolean;
}

/** Fewer periods than this tell nothing. */
const LEAST_PERIODS = 5;

export function limitsOf({ group, before, now, memory, cores }: Facts): Limits | null {
  if (group === null) return null;
  const { memory: ofMemory, cpu, pids } = group;
  const isLess = (limit: number | null, than: number | null): boolean =>
    limit !== null && (than === null || limit < than);
  const seconds = (now.at - before.at) / 1000;
  const [was, is] = [before.group?.cpu.usedSeconds ?? null, now.group?.cpu.usedSeconds ?? null];
  const allowed = cpu.cores ?? cores;
  return {
    group,
    cpuPercent:
      was === null || is === null || allowed === null || seconds <= 0 ? null : (100 * (is - was)) / seconds / allowed,
    throttledPercent: throttledPercent(before.group, now.group),
    isLimited:
      isLess(ofMemory.limitBytes, memory?.totalBytes ?? null) || isLess(cpu.cores, cores) || isLess(pids.limit, 32_768),
  };
}

/** Of the periods in which it ran. */
export function throttledPercent(before: CgroupLimits | null, now: CgroupLimits | null): number | null {
  if (before === null || now === null) return null;
  const [was, is] = [before.cpu, now.cpu];
  if (was.periods === null || is.periods === null || was.throttled === null || is.throttled === null) return null;
  const periods = is.periods - was.periods;
  return periods < LEAST_PERIODS ? null : (100 * (is.throttled - was.throttled)) / periods;
}
