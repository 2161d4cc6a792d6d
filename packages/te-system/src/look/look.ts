import { setTimeout as sleep } from "node:timers/promises";
import { KernelFiles, type Machine, type Procfs } from "@llmc/procfs";
import { heldOpen } from "../disks/held-open.js";
import { readDisks, type DiskSources } from "../disks/read-disks.js";
import { RemoteSpaces } from "../disks/remote-space.js";
import type { StatFs } from "../disks/space.js";
import { DiskTrend } from "../disks/trend.js";
import type { Facts } from "./facts.js";
import { cpuBetween } from "../measure/cpu.js";
import { memoryOf } from "../measure/memory.js";
import { OomWatch } from "../measure/oom.js";
import { ProcessWatch, type ProcessFacts } from "../measure/process-watch.js";
import { UnitWatch, type UnitWatchOptions } from "../measure/unit-watch.js";
import { Samples, type Sample } from "../measure/samples.js";

export interface LookOptions {
  readonly procfs: Procfs;
  readonly procRoot: string;
  readonly hasLogs: boolean;
  readonly statfs: StatFs;
  readonly rootAlone: DiskSources["rootAlone"];
  readonly units: Pick<UnitWatchOptions, "ask" | "isThere">;
  /** Milliseconds that only grow. */
  readonly now: () => number;
}

/** A short interval that shows a busy processor is looked at for longer: everybody's first call starts something. */
const SHORT_MS = 500;
const LONGER_MS = 400;
const HELD_AGE_MS = 1000;

/** What is kept from one look at the machine to the next, and how to look. */
export class Look {
  readonly #samples: Samples;
  readonly #machine: Machine;
  readonly #procfs: Procfs;
  readonly #statfs: StatFs;
  readonly #rootAlone: DiskSources["rootAlone"];
  readonly #hasLogs: boolean;
  readonly #procRoot: string;
  readonly #files = new KernelFiles();
  readonly #now: () => number;
  readonly #remote: RemoteSpaces;
  readonly #trend: DiskTrend;
  readonly #oom: OomWatch;
  readonly #processes: ProcessWatch;
  readonly #units: UnitWatch;

  constructor({ hasLogs, procfs, procRoot, statfs, rootAlone, units, now }: LookOptions) {
    this.#hasLogs = hasLogs;
    this.#procfs = procfs;
    this.#procRoot = procRoot;
    this.#machine = procfs.machine;
    this.#statfs = statfs;
    this.#rootAlone = rootAlone;
    this.#now = now;
    this.#samples = new Samples(procfs.machine, now);
    this.#remote = new RemoteSpaces(procfs, now);
    this.#trend = new DiskTrend(now);
    this.#oom = new OomWatch(now);
    this.#units = new UnitWatch({ ...units, now });
    this.#processes = new ProcessWatch(procfs, now);
  }

  /** Without a sample that will do, it takes 100 ms for its interval, and all else is done meanwhile. */
  async facts(busyPercent: number, signal: AbortSignal | undefined): Promise<Facts> {
    const [before, disks, processes, failedUnits] = await Promise.all([
      this.#samples.base() ?? this.#samples.takeBase(signal),
      this.disks(),
      this.processes(Number.POSITIVE_INFINITY, signal),
      this.#units.failed(),
    ]);
    const now = await this.#second(before, busyPercent, signal);
    const machine = this.#machine;
    const { group } = now;
    const uptimeSeconds = machine.uptimeSeconds();
    if (disks !== null) this.#trend.keep(disks.disks);
    return {
      before,
      now,
      cpu: cpuBetween(before, now),
      cores: now.stat === null ? null : now.stat.cores.length,
      load: machine.loadAverage(),
      uptimeSeconds,
      memory: memoryOf(machine),
      pressure: { cpu: machine.pressure("cpu"), memory: machine.pressure("memory"), io: machine.pressure("io") },
      disks,
      trend: this.#trend,
      group,
      oom: this.#oom.look(now.vm?.oomKills ?? group?.memory.oomKills ?? null, uptimeSeconds),
      processes,
      pageBytes: this.#procfs.units.pageBytes,
      failedUnits,
      hasLogs: this.#hasLogs,
      held: new Map(),
    };
  }

  /** Two samples, for figures over the time between. */
  async interval(signal: AbortSignal | undefined): Promise<{ readonly before: Sample; readonly now: Sample }> {
    const before = this.#samples.base() ?? (await this.#samples.takeBase(signal));
    return { before, now: this.#kept(this.#samples.take()) };
  }

  /** What deleted files still take; worth a look where a disk is full. */
  async held({ disks }: Facts, signal: AbortSignal | undefined): Promise<Facts["held"]> {
    const { all } = await this.processes(HELD_AGE_MS, signal);
    const remote = [
      ...(disks?.silent ?? []),
      ...(disks?.disks ?? []).filter(({ kind }) => kind === "remote").map(({ mount }) => mount),
    ];
    return heldOpen({
      files: this.#files,
      procRoot: this.#procRoot,
      processes: all,
      remotePoints: remote.map(({ point }) => point),
      signal,
    });
  }

  disks(): ReturnType<typeof readDisks> {
    const statfs = this.#statfs;
    return readDisks({ machine: this.#machine, statfs, remote: this.#remote, rootAlone: this.#rootAlone });
  }

  processes(maxAgeMs: number, signal: AbortSignal | undefined): Promise<ProcessFacts> {
    return this.#processes.facts(maxAgeMs, signal);
  }

  async #second(before: Sample, busyPercent: number, signal: AbortSignal | undefined): Promise<Sample> {
    const now = this.#samples.take();
    const isBusy = (cpuBetween(before, now)?.percent ?? 0) >= busyPercent;
    if (isBusy && this.#now() - before.at < SHORT_MS) {
      await sleep(LONGER_MS, undefined, { signal });
      return this.#kept(this.#samples.take());
    }
    return this.#kept(now);
  }

  #kept(sample: Sample): Sample {
    this.#samples.keep(sample);
    return sample;
  }
}
