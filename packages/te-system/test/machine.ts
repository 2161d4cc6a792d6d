import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openProcfs, type Procfs } from "@llmc/procfs";
import { onTestFinished } from "vitest";
import { openSystem, type Space, type System, type SystemOptions, type Thresholds } from "../src/index.js";

export const THRESHOLDS: Thresholds = {
  cpuPercent: 90,
  loadPerCore: 2,
  memoryPercent: 90,
  swapPercent: 60,
  diskPercent: 90,
  inodesPercent: 90,
  pressurePercent: 20,
};

export const GB = 1024 ** 3;

/** A clock that moves when the test says so. */
export interface Clock {
  readonly now: () => number;
  pass(ms: number): void;
}

export function clock(): Clock {
  let at = 1_000_000;
  return { now: () => at, pass: (ms) => void (at += ms) };
}

export interface Composed {
  readonly procfs: Procfs;
  readonly system: System;
  readonly clock: Clock;
  readonly root: string;
  /** Replaces a file of /proc. */
  proc(name: string, text: string): void;
  cgroup(name: string, text: string): void;
  /** What statfs answers from now on. */
  space(point: string, space: Space): void;
}

export type Files = Readonly<Record<string, string>>;

export function space(totalBytes: number, usedPercent: number, inodesUsed = 10): Space {
  const usedBytes = Math.round((totalBytes * usedPercent) / 100);
  return {
    totalBytes,
    usedBytes,
    availableBytes: totalBytes - usedBytes,
    inodes: { total: 1000, used: inodesUsed * 10 },
  };
}

/** A machine made of files. Its clock and its processors stand still until the test moves them. */
export function machine(
  files: { readonly proc: Files; readonly cgroup?: Files; readonly spaces?: Readonly<Record<string, Space>> },
  more: Partial<SystemOptions> = {},
): Composed {
  const root = mkdtempSync(join(tmpdir(), "te-system-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const put = (below: string) => (name: string, text: string) => {
    mkdirSync(dirname(join(root, below, name)), { recursive: true });
    writeFileSync(join(root, below, name), text);
  };
  const [proc, cgroup] = [put("proc"), put("cgroup")];
  for (const [name, text] of Object.entries(files.proc)) proc(name, text);
  for (const [name, text] of Object.entries(files.cgroup ?? {})) cgroup(name, text);
  mkdirSync(join(root, "proc"), { recursive: true });
  const spaces = new Map(Object.entries(files.spaces ?? {}));
  const time = clock();
  const procfs = openProcfs({ root: join(root, "proc"), cgroupRoot: join(root, "cgroup"), now: time.now });
  const system = openSystem({
    procfs,
    thresholds: THRESHOLDS,
    statfs: (point) => spaces.get(point),
    now: time.now,
    ...more,
  });
  return { procfs, system, clock: time, root, proc, cgroup, space: (point, each) => void spaces.set(point, each) };
}

/** /proc/stat of so many processors; `ticks` are user, idle and steal of each so far. */
export function stat(cores: number, { user = 1000, idle = 9000, steal = 0 } = {}): string {
  const line = (name: string, times: number): string =>
    `${name} ${user * times} 0 0 ${idle * times} 0 0 0 ${steal * times} 0 0`;
  const lines = [line("cpu ", cores), ...Array.from({ length: cores }, (_, core) => line(`cpu${core}`, 1))];
  return `${lines.join("\n")}\nbtime 1700000000\nprocs_running 1\nprocs_blocked 0\n`;
}

export function meminfo(
  totalBytes: number,
  usedPercent: number,
  swap: { total: number; used: number } = { total: 0, used: 0 },
): string {
  const kib = (bytes: number): string => `${Math.round(bytes / 1024)} kB`;
  const available = totalBytes * (1 - usedPercent / 100);
  return [
    `MemTotal: ${kib(totalBytes)}`,
    `MemFree: ${kib(available / 4)}`,
    `MemAvailable: ${kib(available)}`,
    `SwapTotal: ${kib(swap.total)}`,
    `SwapFree: ${kib(swap.total - swap.used)}`,
    "",
  ].join("\n");
}

export function pressure(some: number, full = 0): string {
  return `some avg10=${some} avg60=${some} avg300=${some} total=1\nfull avg10=${full} avg60=${full} avg300=${full} total=1\n`;
}

/** Nothing is wrong with it: 8 processors, 16 GB, one disk. Composed. */
export const HEALTHY: { readonly proc: Files; readonly spaces: Readonly<Record<string, Space>> } = {
  proc: {
    stat: stat(8),
    loadavg: "0.42 0.38 0.35 1/300 4000\n",
    uptime: "1000000.00 7000000.00\n",
    meminfo: meminfo(16 * GB, 25),
    vmstat: "oom_kill 0\npswpin 0\npswpout 0\n",
    "pressure/cpu": pressure(1.2),
    "pressure/memory": pressure(0),
    "pressure/io": pressure(0.3),
    "self/mountinfo": "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n23 22 0:5 / /proc rw - proc proc rw\n",
    "net/dev": "Inter-|\n face |\n  eth0: 1000 1 0 0 0 0 0 0 2000 1 0 0 0 0 0 0\n",
  },
  spaces: { "/": space(100 * GB, 58) },
};
