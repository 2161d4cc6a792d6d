import { limitsIn, type CgroupLimits, type ReadLimits } from "./cgroup-limits.js";
import type { KernelFiles } from "../read/kernel-files.js";
import { parseMounts, type Mount } from "./mounts.js";

/** Ticks since the start of the machine, by what the processor did. */
export interface CpuTimes {
  readonly user: number;
  readonly nice: number;
  readonly system: number;
  readonly idle: number;
  readonly iowait: number;
  readonly irq: number;
  readonly softirq: number;
  readonly steal: number;
}

export interface MachineStat {
  readonly all: CpuTimes;
  readonly cores: readonly CpuTimes[];
  readonly bootedAtMs: number | null;
  readonly running: number | null;
  readonly blocked: number | null;
}

/** Share of the last 10, 60 and 300 seconds in which some or all work stood still for want of it, in percent. */
export interface Pressure {
  readonly some: readonly [number, number, number];
  /** Null where the kernel does not count it. */
  readonly full: readonly [number, number, number] | null;
}

export interface InterfaceCounters {
  readonly name: string;
  readonly rxBytes: number;
  readonly rxErrors: number;
  readonly rxDropped: number;
  readonly txBytes: number;
  readonly txErrors: number;
  readonly txDropped: number;
}

const CPU_FIELDS = ["user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"] as const;

/** What the kernel tells of the machine as a whole. Null: this kernel, or this container, does not tell. */
export class Machine {
  readonly #root: string;
  readonly #cgroupRoot: string;
  readonly #files: KernelFiles;
  #limits: { readonly text: string; readonly read: ReadLimits | null } | undefined;
  #mounts: { readonly text: string; readonly table: readonly Mount[] } | undefined;

  constructor(root: string, cgroupRoot: string, files: KernelFiles) {
    this.#root = root;
    this.#cgroupRoot = cgroupRoot;
    this.#files = files;
  }

  stat(): MachineStat | null {
    const text = this.#text("stat");
    if (text === undefined) return null;
    const lines = text.split("\n");
    const all = lines.find((line) => line.startsWith("cpu "));
    if (all === undefined) return null;
    const value = (key: string): number | null => numberAfter(text, key);
    const booted = value("btime");
    return {
      all: cpuTimes(all),
      cores: lines.filter((line) => /^cpu\d/.test(line)).map(cpuTimes),
      bootedAtMs: booted === null ? null : booted * 1000,
      running: value("procs_running"),
      blocked: value("procs_blocked"),
    };
  }

  /** Over 1, 5 and 15 minutes. */
  loadAverage(): readonly [number, number, number] | null {
    const [one, five, fifteen] = (this.#text("loadavg") ?? "").split(" ").map(Number);
    if (one === undefined || five === undefined || fifteen === undefined) return null;
    return [one, five, fifteen];
  }

  uptimeSeconds(): number | null {
    const seconds = Number.parseFloat(this.#text("uptime") ?? "");
    return Number.isNaN(seconds) ? null : seconds;
  }

  /** In bytes, by the kernel's names. */
  meminfo(): ReadonlyMap<string, number> | null {
    const text = this.#text("meminfo");
    if (text === undefined) return null;
    const found = text.matchAll(/^([^:\n]+):\s+(\d+)( kB)?$/gm);
    return new Map(
      Array.from(found, ([, key = "", value, unit]) => [key, Number(value) * (unit === undefined ? 1 : 1024)]),
    );
  }

  /** Counters since the start, such as oom_kill. */
  vmstat(): ReadonlyMap<string, number> | null {
    const text = this.#text("vmstat");
    if (text === undefined) return null;
    return new Map(Array.from(text.matchAll(/^(\S+) (\d+)$/gm), ([, key = "", value]) => [key, Number(value)]));
  }

  pressure(of: "cpu" | "memory" | "io"): Pressure | null {
    const text = this.#text(`pressure/${of}`) ?? "";
    const some = averages(text, "some");
    return some === null ? null : { some, full: averages(text, "full") };
  }

  mounts(): readonly Mount[] | null {
    const text = this.#text("self/mountinfo");
    if (text === undefined) return null;
    // Hundreds of lines on a box with containers, and seldom another one.
    if (this.#mounts?.text !== text) this.#mounts = { text, table: parseMounts(text) };
    return this.#mounts.table;
  }

  interfaces(): readonly InterfaceCounters[] | null {
    const text = this.#text("net/dev");
    return text === undefined ? null : text.split("\n").slice(2).flatMap(counters);
  }

  /** What the control groups around this server allow it, and what it uses of that. */
  ownCgroup(): CgroupLimits | null {
    const text = this.#text("self/cgroup");
    if (text === undefined) return null;
    if (this.#limits?.text !== text) this.#limits = { text, read: limitsIn(this.#cgroupRoot, text, this.#files) };
    return this.#limits.read?.() ?? null;
  }

  #text(name: string): string | undefined {
    return this.#files.text(`${this.#root}/${name}`);
  }
}

function cpuTimes(line: string): CpuTimes {
  const [, ...values] = line.split(/\s+/);
  return Object.fromEntries(CPU_FIELDS.map((field, at) => [field, Number(values[at] ?? 0)])) as unknown as CpuTimes;
}

function numberAfter(text: string, key: string): number | null {
  const found = new RegExp(`^${key} (\\d+)$`, "m").exec(text);
  return found === null ? null : Number(found[1]);
}

function averages(text: string, kind: string): readonly [number, number, number] | null {
  const found = new RegExp(`^${kind} avg10=([\\d.]+) avg60=([\\d.]+) avg300=([\\d.]+)`, "m").exec(text);
  return found === null ? null : [Number(found[1]), Number(found[2]), Number(found[3])];
}

function counters(line: string): InterfaceCounters[] {
  const [name = "", values = ""] = line.split(/:(.*)/, 2);
  const all = values.trim().split(/\s+/).map(Number);
  if (all.length < 12) return [];
  const [rxBytes = 0, , rxErrors = 0, rxDropped = 0, , , , , txBytes = 0, , txErrors = 0, txDropped = 0] = all;
  return [{ name: name.trim(), rxBytes, rxErrors, rxDropped, txBytes, txErrors, txDropped }];
}
