import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProcfs } from "@llmc/procfs";
import checkDiskSpace from "check-disk-space";
import { expect, onTestFinished, test } from "vitest";
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

const byDf = await (checkDiskSpace as unknown as typeof checkDiskSpace.default)("/").catch(() => undefined);

test.skipIf(byDf === undefined)("the root's space is as check-disk-space finds it", async () => {
  const system = openSystem({ procfs: openProcfs(), thresholds: THRESHOLDS });
  const root = (await system.snapshot()).disks.find(({ mount }) => mount.point === "/");

  // In a container the root may be of a kind that is left out.
  if (root === undefined) return;
  expect(root.space.totalBytes).toBe(byDf?.size);
  expect(Math.abs(root.space.availableBytes - (byDf?.free ?? 0))).toBeLessThan(0.03 * root.space.totalBytes);
});

test.skipIf(byDf === undefined)("where nobody may read the table of mounts, df tells of the root", async () => {
  const procRoot = mkdtempSync(join(tmpdir(), "te-system-proc-"));
  onTestFinished(() => rmSync(procRoot, { recursive: true }));
  for (const name of ["stat", "meminfo", "loadavg", "uptime"])
    writeFileSync(join(procRoot, name), readFileSync(join("/proc", name)));
  const system = openSystem({ procfs: openProcfs({ root: procRoot }), thresholds: THRESHOLDS });

  const { disks } = await system.snapshot();
  expect(disks.map(({ mount, space }) => [mount.point, space.totalBytes])).toEqual([["/", byDf?.size]]);
});
