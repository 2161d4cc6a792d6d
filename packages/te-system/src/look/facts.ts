import type { CgroupLimits, Pressure } from "@llmc/procfs";
import type { DiskTrend } from "../disks/trend.js";
import type { HeldOpen } from "../disks/held-open.js";
import type { Disks } from "../disks/read-disks.js";
import type { CpuUse } from "../measure/cpu.js";
import type { MemoryUse } from "../measure/memory.js";
import type { OomKills } from "../measure/oom.js";
import type { ProcessFacts } from "../measure/process-watch.js";
import type { Sample } from "../measure/samples.js";

/** All that one look at the machine has found. Null: it does not tell. */
export interface Facts {
  readonly before: Sample;
  readonly now: Sample;
  readonly cpu: CpuUse | null;
  /** Processors of the machine. */
  readonly cores: number | null;
  readonly load: readonly [number, number, number] | null;
  readonly uptimeSeconds: number | null;
  readonly memory: MemoryUse | null;
  readonly pressure: Readonly<Record<"cpu" | "memory" | "io", Pressure | null>>;
  readonly disks: Disks | null;
  readonly trend: DiskTrend;
  readonly group: CgroupLimits | null;
  readonly oom: OomKills | null;
  readonly processes: ProcessFacts;
  readonly pageBytes: number;
  /** Whether the calls that are named may read logs. */
  readonly hasLogs: boolean;
  readonly failedUnits: readonly string[];
  /** By device; looked for where a disk is full. */
  readonly held: ReadonlyMap<string, HeldOpen>;
}
