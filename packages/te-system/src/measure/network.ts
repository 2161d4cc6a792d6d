import type { InterfaceCounters } from "@llmc/procfs";
import type { Sample } from "./samples.js";

export interface InterfaceRate {
  readonly name: string;
  readonly rxBytesPerSecond: number;
  readonly txBytesPerSecond: number;
  /** Over the interval. */
  readonly errors: number;
  readonly dropped: number;
}

/** Null where the kernel does not tell. An interface that came since is left out: it has no interval. */
export function ratesBetween(before: Sample, now: Sample): InterfaceRate[] | null {
  if (before.interfaces === null || now.interfaces === null) return null;
  const seconds = (now.at - before.at) / 1000;
  const earlier = new Map(before.interfaces.map((each) => [each.name, each]));
  return now.interfaces.flatMap((each) => {
    const base = earlier.get(each.name);
    return base === undefined || seconds <= 0 ? [] : [rate(base, each, seconds)];
  });
}

function rate(base: InterfaceCounters, now: InterfaceCounters, seconds: number): InterfaceRate {
  // A driver that was loaded again counts from 0.
  const passed = (field: Exclude<keyof InterfaceCounters, "name">): number => Math.max(0, now[field] - base[field]);
  return {
    name: now.name,
    rxBytesPerSecond: passed("rxBytes") / seconds,
    txBytesPerSecond: passed("txBytes") / seconds,
    errors: passed("rxErrors") + passed("txErrors"),
    dropped: passed("rxDropped") + passed("txDropped"),
  };
}
