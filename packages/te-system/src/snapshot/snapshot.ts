import type { MeasuredProcess, Pressure } from "@llmc/procfs";
import type { Disk, Disks } from "../disks/read-disks.js";
import { usedPercent } from "../disks/space.js";
import type { Facts } from "../look/facts.js";
import { limitsOf, type Limits } from "../look/limits.js";
import type { Look } from "../look/look.js";
import type { CpuUse } from "../measure/cpu.js";
import type { MemoryUse } from "../measure/memory.js";
import { ratesBetween, type InterfaceRate } from "../measure/network.js";
import { summarize, type Summary } from "./summary.js";
import type { Anomaly, Thresholds } from "../wrong/anomaly.js";
import { findWrong } from "../wrong/find-wrong.js";
import { isFull } from "../wrong/of-disks.js";

export interface Snapshot {
  readonly summary: Summary;
  readonly anomalies: readonly Anomaly[];
  readonly cpu: CpuUse | null;
  readonly load: readonly [number, number, number] | null;
  readonly memory: MemoryUse | null;
  /** Those worth a row: what lies on disks or elsewhere, and what is in memory only when it is nearly full. */
  readonly disks: readonly Disk[];
  readonly all: Disks | null;
  readonly pressure: Readonly<Record<"cpu" | "memory" | "io", Pressure | null>>;
  readonly limits: Limits | null;
  /** The three that use most of what is short; empty while nothing is. */
  readonly offenders: readonly MeasuredProcess[];
  /** Over the interval; null where the kernel does not tell. */
  readonly rates: readonly InterfaceRate[] | null;
  /** What could not be read, and why. */
  readonly missing: readonly string[];
}

const OFFENDERS = 3;
/** A look at the processes that is older tells who it was. */
const OFFENDERS_AGE_MS = 1000;

export async function takeSnapshot(look: Look, thresholds: Thresholds, signal?: AbortSignal): Promise<Snapshot> {
  const seen = await look.facts(thresholds.cpuPercent, signal);
  const isAnyFull = seen.disks?.disks.some((disk) => isFull(disk, thresholds)) === true;
  const facts = isAnyFull ? { ...seen, held: await look.held(seen, signal) } : seen;
  const anomalies = findWrong(facts, thresholds);
  const limits = limitsOf(facts);
  return {
    summary: summarize(facts, anomalies, limits),
    anomalies,
    cpu: facts.cpu,
    load: facts.load,
    memory: facts.memory,
    disks: (facts.disks?.disks ?? []).filter((disk) => isTold(disk, thresholds)),
    all: facts.disks,
    pressure: facts.pressure,
    limits,
    offenders: await offendersOf(look, anomalies, signal),
    rates: ratesBetween(facts.before, facts.now),
    missing: missingOf(facts),
  };
}

function isTold({ kind, space, mount }: Disk, { diskPercent }: Thresholds): boolean {
  return kind !== "memory" || mount.point === "/" || usedPercent(space) >= diskPercent;
}

async function offendersOf(
  look: Look,
  anomalies: readonly Anomaly[],
  signal: AbortSignal | undefined,
): Promise<readonly MeasuredProcess[]> {
  const short = anomalies.find(({ kind }) => ["cpu", "memory", "pressure", "limit"].includes(kind));
  if (short === undefined) return [];
  const { all } = await look.processes(OFFENDERS_AGE_MS, signal);
  const isMemory = short.nextStep.id === "largest-processes";
  const by = (process: MeasuredProcess): number => (isMemory ? process.rssBytes : process.cpuPercent);
  return all
    .filter((process) => by(process) > 0)
    .toSorted((one, other) => by(other) - by(one))
    .slice(0, OFFENDERS);
}

function missingOf({ cpu, load, memory, disks, pressure }: Facts): string[] {
  const missing: string[] = [];
  if (cpu === null) missing.push("CPU: /proc/stat does not tell");
  if (load === null) missing.push("load: /proc/loadavg does not tell");
  if (memory === null) missing.push("memory: /proc/meminfo does not tell");
  if (disks === null) missing.push("disks: /proc/self/mountinfo does not tell");
  if (Object.values(pressure).every((each) => each === null))
    missing.push("pressure: this kernel does not count it (no /proc/pressure)");
  return missing;
}
