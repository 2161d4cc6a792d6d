import type { Facts } from "../look/facts.js";
import { percentText } from "./text.js";
import { severityOf, type Anomaly, type NextStep, type Thresholds } from "./anomaly.js";

/** Time that others took from this machine, before it is worth a word. */
const STEAL_PERCENT = 10;
const BY_CPU: NextStep = { id: "busiest-processes" };

/** Reports busy processors as one fact, because use, load and waiting are three views of the same thing. */
export function ofLoad({ cpu, load, cores, pressure }: Facts, thresholds: Thresholds): Anomaly[] {
  const facts: string[] = [];
  const isBusy = cpu !== null && cpu.percent >= thresholds.cpuPercent;
  if (isBusy) facts.push(`CPU ${percentText(cpu.percent)} over ${(cpu.intervalMs / 1000).toFixed(1)} s`);
  if (load !== null && cores !== null && load[0] / cores >= thresholds.loadPerCore)
    facts.push(`load ${load[0]} on ${cores} processor${cores === 1 ? "" : "s"}`);
  const waited = pressure.cpu?.some[1] ?? 0;
  if (waited >= thresholds.pressurePercent)
    facts.push(`work waited for a processor ${percentText(waited)} of the last minute`);
  if (facts.length === 0) return [];
  const isIdle = cpu !== null && cpu.percent < 50;
  const likelyCause = isIdle
    ? "processes that wait for disks or servers, or a burst that is over"
    : "programs that compute";
  return [{ severity: "warning", kind: "cpu", fact: facts.join(", "), likelyCause, nextStep: BY_CPU }];
}

export function ofSteal({ cpu }: Facts): Anomaly[] {
  if (cpu === null || cpu.stealPercent < STEAL_PERCENT) return [];
  return [
    {
      severity: "warning",
      kind: "cpu",
      fact: `${percentText(cpu.stealPercent)} of the CPU time goes to other virtual machines (steal)`,
      likelyCause: "the host has too many guests",
      nextStep: { id: "cores" },
    },
  ];
}

/** Work that stood still, by the kernel's own count over a minute. */
export function ofPressure({ pressure }: Facts, { pressurePercent }: Thresholds): Anomaly[] {
  return (["memory", "io"] as const).flatMap((of): Anomaly[] => {
    const some = pressure[of]?.some[1];
    if (some === undefined || some < pressurePercent) return [];
    return [
      {
        severity: severityOf(some, pressurePercent),
        kind: "pressure",
        fact: `work waited for ${of === "io" ? "disks" : "memory"} ${percentText(some)} of the last minute`,
        likelyCause: of === "io" ? "a slow or busy disk" : "too little memory: pages are thrown out and read again",
        nextStep: of === "memory" ? { id: "largest-processes" } : BY_CPU,
      },
    ];
  });
}
