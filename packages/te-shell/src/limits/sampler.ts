import { readFileSync } from "node:fs";
import type { LimitHit, Limits, Meter } from "./meter.js";

/** A bomb of forks doubles within milliseconds, and each of its processes takes from our share of the processor. */
const EVERY_MS = 20;
/** The kernel's, on every machine that we have a filter for. */
const PAGE_BYTES = 4096;

/** Where no cgroup can be made: looks now and then, and ends what is over the limit. */
export function sampler({ maxPids, maxMemoryBytes }: Limits): Meter {
  let hit: LimitHit | undefined;
  let timer: NodeJS.Timeout | undefined;
  return {
    joins: [],
    watch({ members, end }) {
      timer = setInterval(() => {
        const pids = members(maxPids + 1);
        hit ??= pids.length > maxPids ? "processes" : residentBytes(pids) > maxMemoryBytes ? "memory" : undefined;
        if (hit === undefined) return;
        clearInterval(timer);
        end();
      }, EVERY_MS).unref();
    },
    hit: () => hit,
    close: async () => clearInterval(timer),
  };
}

function residentBytes(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + PAGE_BYTES * Number(statm(pid).split(" ")[1] ?? 0), 0);
}

function statm(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/statm`, "latin1");
  } catch {
    return "";
  }
}
