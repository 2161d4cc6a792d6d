import { execFileSync } from "node:child_process";
import { openProcfs } from "@llmc/procfs";
import { expect, test } from "vitest";
import { openSystem, usedPercent } from "../src/index.js";
import { THRESHOLDS } from "./machine.js";

interface Told {
  readonly total: number;
  readonly available: number;
  readonly swap: number;
  readonly load: readonly number[];
  readonly disk: number;
  readonly threads: number;
  readonly interfaces: readonly string[];
  readonly booted: number;
}

const ASK = `
import json, psutil
m = psutil.virtual_memory()
print(json.dumps({"total": m.total, "available": m.available, "swap": psutil.swap_memory().total,
  "load": psutil.getloadavg(), "disk": psutil.disk_usage("/").percent, "threads": psutil.cpu_count(),
  "interfaces": sorted(psutil.net_if_addrs()), "booted": psutil.boot_time()}))
`;

function psutil(): Told | undefined {
  try {
    return JSON.parse(
      execFileSync("/usr/bin/python3", ["-c", ASK], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
    ) as Told;
  } catch {
    console.warn("skipped: python3 has no psutil");
    return undefined;
  }
}

const told = psutil();

test.skipIf(told === undefined)("this machine is as psutil sees it", async () => {
  const system = openSystem({ procfs: openProcfs(), thresholds: THRESHOLDS });
  const { memory, load, disks } = await system.snapshot();
  const { threads } = await system.info.cpu();
  const { interfaces } = await system.info.network();
  const close = (one: number | undefined, other: number | undefined, by: number): boolean =>
    Math.abs((one ?? Number.NaN) - (other ?? Number.NaN)) <= by;
  const root = disks.find(({ mount }) => mount.point === "/");

  expect([memory?.totalBytes, memory?.swapTotalBytes, threads]).toEqual([told?.total, told?.swap, told?.threads]);
  // Others use memory and disks while we look.
  expect(close(memory?.availableBytes, told?.available, 0.15 * (told?.total ?? 0))).toBe(true);
  expect(root === undefined || close(usedPercent(root.space), told?.disk, 3)).toBe(true);
  expect(load).toHaveLength(told?.load.length ?? 0);
  expect(interfaces.map(({ name }) => name)).toEqual(expect.arrayContaining([...(told?.interfaces ?? [])]));
  expect(close(Date.now() / 1000 - (system.info.os().uptimeSeconds ?? 0), told?.booted, 60)).toBe(true);
});
