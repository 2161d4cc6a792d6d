import type { KernelFiles } from "../read/kernel-files.js";

export interface CgroupLimits {
  readonly version: 1 | 2;
  readonly memory: {
    readonly usedBytes: number | null;
    /** Of that, files that nobody used lately: the kernel takes them back before it refuses anybody. */
    readonly reclaimableBytes: number | null;
    readonly limitBytes: number | null;
    readonly oomKills: number | null;
  };
  readonly cpu: {
    /** How many processors' worth of time it gets. */
    readonly cores: number | null;
    /** How often it ran into that, of how many periods. */
    readonly throttled: number | null;
    readonly periods: number | null;
    readonly usedSeconds: number | null;
  };
  readonly pids: { readonly used: number | null; readonly limit: number | null };
}

/** Version 1 writes "no limit" as the largest number of pages. */
const NO_LIMIT = 2 ** 62;

export type ReadLimits = () => CgroupLimits;

/**
 * How to read the limits of the groups that /proc/self/cgroup names, as often as one likes. A limit of a group further up
 * binds as well: the tightest is told, with the use of the group that has it.
 */
export function limitsIn(mount: string, text: string, files: KernelFiles): ReadLimits | null {
  const lines = text.split("\n").filter(Boolean).map(splitLine);
  const unified = lines.find(({ controllers }) => controllers === "");
  const has = (path: string): boolean => files.names(path) !== undefined;
  if (unified !== undefined && has(mount) && files.text(`${mount}/cgroup.controllers`) !== undefined) {
    const ways = waysUp(mount, unified.path, has);
    return () => version2(ways, files);
  }
  const ways = (controller: string): string[] => {
    const path = lines.find(({ controllers }) => controllers.split(",").includes(controller))?.path;
    return path === undefined ? [] : waysUp(`${mount}/${controller}`, path, has);
  };
  const folders = { memory: ways("memory"), cpu: ways("cpu"), cpuacct: ways("cpuacct"), pids: ways("pids") };
  return Object.values(folders).every((list) => list.length === 0) ? null : () => version1(folders, files);
}

function splitLine(line: string): { controllers: string; path: string } {
  const [, controllers = "", ...path] = line.split(":");
  return { controllers, path: path.join(":") };
}

/** The group's folder, and those above it, deepest first. In a container the path may be the host's: then only the top is there. */
function waysUp(mount: string, path: string, has: (path: string) => boolean): string[] {
  const names = path.split("/").filter((name) => name !== "" && name !== "..");
  const ways = Array.from({ length: names.length + 1 }, (_, cut) =>
    [mount, ...names.slice(0, names.length - cut)].join("/"),
  );
  return ways.filter(has);
}

function version2(ways: readonly string[], files: KernelFiles): CgroupLimits {
  const read = (way: string, file: string): string | undefined => files.text(`${way}/${file}`);
  const [here = ""] = ways;
  const memory = tightest(ways, (way) => plain(read(way, "memory.max")));
  const pids = tightest(ways, (way) => plain(read(way, "pids.max")));
  const cores = tightest(ways, (way) => {
    const [quota, period] = (read(way, "cpu.max") ?? "").trim().split(" ").map(Number);
    return quota !== undefined && quota > 0 && period !== undefined ? quota / period : null;
  });
  const stat = read(cores?.way ?? here, "cpu.stat");
  const memoryOf = memory?.way ?? here;
  return {
    version: 2,
    memory: {
      usedBytes: plain(read(memoryOf, "memory.current")) ?? plain(read(here, "memory.current")),
      reclaimableBytes: keyed(read(memoryOf, "memory.stat"), "inactive_file"),
      limitBytes: memory?.limit ?? null,
      oomKills: keyed(read(here, "memory.events"), "oom_kill"),
    },
    cpu: {
      cores: cores?.limit ?? null,
      throttled: keyed(stat, "nr_throttled"),
      periods: keyed(stat, "nr_periods"),
      usedSeconds: scaled(keyed(stat, "usage_usec"), 1e-6),
    },
    pids: {
      used: plain(read(pids?.way ?? here, "pids.current")) ?? plain(read(here, "pids.current")),
      limit: pids?.limit ?? null,
    },
  };
}

type Folders = Readonly<Record<"memory" | "cpu" | "cpuacct" | "pids", readonly string[]>>;

function version1(folders: Folders, files: KernelFiles): CgroupLimits {
  const value = (way: string | undefined, file: string): number | null =>
    way === undefined ? null : plain(files.text(`${way}/${file}`));
  const table = (way: string | undefined, file: string): string | undefined =>
    way === undefined ? undefined : files.text(`${way}/${file}`);
  const memory = tightest(folders.memory, (way) => value(way, "memory.limit_in_bytes"));
  const pids = tightest(folders.pids, (way) => value(way, "pids.max"));
  const cores = tightest(folders.cpu, (way) => {
    const [quota, period] = [value(way, "cpu.cfs_quota_us"), value(way, "cpu.cfs_period_us")];
    return quota !== null && quota > 0 && period !== null && period > 0 ? quota / period : null;
  });
  const stat = table(cores?.way ?? folders.cpu[0], "cpu.stat");
  const memoryOf = memory?.way ?? folders.memory[0];
  return {
    version: 1,
    memory: {
      usedBytes: value(memoryOf, "memory.usage_in_bytes"),
      reclaimableBytes: keyed(table(memoryOf, "memory.stat"), "total_inactive_file"),
      limitBytes: memory?.limit ?? null,
      oomKills: keyed(table(folders.memory[0], "memory.oom_control"), "oom_kill"),
    },
    cpu: {
      cores: cores?.limit ?? null,
      throttled: keyed(stat, "nr_throttled"),
      periods: keyed(stat, "nr_periods"),
      usedSeconds: scaled(value(folders.cpuacct[0], "cpuacct.usage"), 1e-9),
    },
    pids: { used: value(pids?.way ?? folders.pids[0], "pids.current"), limit: pids?.limit ?? null },
  };
}

/** "max" is no limit. */
function plain(text: string | undefined): number | null {
  const found = /^-?\d+\s*$/.test(text ?? "") ? Number(text) : null;
  return found !== null && found < NO_LIMIT ? found : null;
}

function keyed(text: string | undefined, key: string): number | null {
  const found = new RegExp(`^${key} (\\d+)$`, "m").exec(text ?? "");
  return found === null ? null : Number(found[1]);
}

function scaled(value: number | null, by: number): number | null {
  return value === null ? null : value * by;
}

function tightest(
  ways: readonly string[],
  limitOf: (way: string) => number | null,
): { readonly way: string; readonly limit: number } | undefined {
  let found: { way: string; limit: number } | undefined;
  for (const way of ways) {
    const limit = limitOf(way);
    if (limit !== null && limit < (found?.limit ?? Number.POSITIVE_INFINITY)) found = { way, limit };
  }
  return found;
}
