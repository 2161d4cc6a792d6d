import type { KernelFiles } from "./kernel-files.js";

export interface CgroupLimits {
  readonly version: 1 | 2;
  readonly memory: {
    readonly usedBytes: number | null;
    readonly limitBytes: number | null;
    readonly oomKills: number | null;
  };
  readonly cpu: {
    /** How many processors' worth of time it gets. */
    readonly cores: number | null;
    /** How often it ran into that, of how many periods. */
    readonly throttled: number | null;
    readonly periods: number | null;
  };
  readonly pids: { readonly used: number | null; readonly limit: number | null };
}

/** Version 1 writes "no limit" as the largest number of pages. */
const NO_LIMIT = 2 ** 62;

/** By the text of /proc/self/cgroup. A limit of a group further up binds as well: the tightest is told. */
export function limitsIn(mount: string, text: string, files: KernelFiles): CgroupLimits | null {
  const lines = text.split("\n").filter(Boolean).map(splitLine);
  const unified = lines.find(({ controllers }) => controllers === "");
  const has = (path: string): boolean => files.names(path) !== undefined;
  if (unified !== undefined && has(mount) && files.text(`${mount}/cgroup.controllers`) !== undefined)
    return version2(waysUp(mount, unified.path, has), files);
  const first = (controller: string): string[] => {
    const path = lines.find(({ controllers }) => controllers.split(",").includes(controller))?.path;
    return path === undefined ? [] : waysUp(`${mount}/${controller}`, path, has);
  };
  const folders = { memory: first("memory"), cpu: first("cpu"), pids: first("pids") };
  return Object.values(folders).every((ways) => ways.length === 0) ? null : version1(folders, files);
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
  const read = (file: string): (string | undefined)[] => ways.map((way) => files.text(`${way}/${file}`));
  const quotas = read("cpu.max").map((text) => {
    const [quota, period] = (text ?? "").trim().split(" ").map(Number);
    return quota !== undefined && quota > 0 && period !== undefined ? quota / period : null;
  });
  const stat = read("cpu.stat")[0];
  return {
    version: 2,
    memory: {
      usedBytes: plain(read("memory.current")[0]),
      limitBytes: tightest(read("memory.max").map(plain)),
      oomKills: keyed(read("memory.events")[0], "oom_kill"),
    },
    cpu: { cores: tightest(quotas), throttled: keyed(stat, "nr_throttled"), periods: keyed(stat, "nr_periods") },
    pids: { used: plain(read("pids.current")[0]), limit: tightest(read("pids.max").map(plain)) },
  };
}

function version1(
  folders: Readonly<Record<"memory" | "cpu" | "pids", readonly string[]>>,
  files: KernelFiles,
): CgroupLimits {
  const read = (of: keyof typeof folders, file: string): (string | undefined)[] =>
    folders[of].map((way) => files.text(`${way}/${file}`));
  const quotas = folders.cpu.map((way) => {
    const [quota, period] = ["cpu.cfs_quota_us", "cpu.cfs_period_us"].map((file) =>
      plain(files.text(`${way}/${file}`)),
    );
    return typeof quota === "number" && quota > 0 && typeof period === "number" && period > 0 ? quota / period : null;
  });
  const stat = read("cpu", "cpu.stat")[0];
  return {
    version: 1,
    memory: {
      usedBytes: plain(read("memory", "memory.usage_in_bytes")[0]),
      limitBytes: tightest(read("memory", "memory.limit_in_bytes").map(plain)),
      oomKills: keyed(read("memory", "memory.oom_control")[0], "oom_kill"),
    },
    cpu: { cores: tightest(quotas), throttled: keyed(stat, "nr_throttled"), periods: keyed(stat, "nr_periods") },
    pids: { used: plain(read("pids", "pids.current")[0]), limit: tightest(read("pids", "pids.max").map(plain)) },
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

function tightest(limits: readonly (number | null)[]): number | null {
  const set = limits.filter((limit) => limit !== null);
  return set.length === 0 ? null : Math.min(...set);
}
