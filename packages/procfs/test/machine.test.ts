import { readFileSync } from "node:fs";
import os from "node:os";
import { expect, test } from "vitest";
import { openProcfs } from "../src/index.js";
import { tree } from "./tree.js";

const machineOf = (files: Readonly<Record<string, string>>, cgroups: Readonly<Record<string, string>> = {}) =>
  openProcfs({ root: tree(files), cgroupRoot: tree(cgroups) }).machine;

test("this machine is read as others read it", () => {
  const { machine } = openProcfs();

  expect(machine.meminfo()?.get("MemTotal")).toBe(os.totalmem());
  expect(machine.stat()?.cores.length).toBeGreaterThan(0);
  expect(machine.stat()?.bootedAtMs).toBe(
    Number(/^btime (\d+)$/m.exec(readFileSync("/proc/stat", "utf8"))?.[1]) * 1000,
  );
  expect(Math.abs((machine.uptimeSeconds() ?? 0) - os.uptime())).toBeLessThan(60);
  expect(machine.loadAverage()).toHaveLength(3);
  expect(machine.mounts()?.some(({ point }) => point === "/")).toBe(true);
  expect(machine.interfaces()?.map(({ name }) => name)).toContain("lo");
  expect(machine.vmstat()?.get("pgfault")).toBeGreaterThan(0);
});

test("nothing there is null, not 0", () => {
  const machine = machineOf({});

  expect([
    machine.stat(),
    machine.loadAverage(),
    machine.uptimeSeconds(),
    machine.meminfo(),
    machine.vmstat(),
    machine.pressure("io"),
    machine.mounts(),
    machine.interfaces(),
    machine.ownCgroup(),
  ]).toEqual(Array.from({ length: 9 }, () => null));
});

test("processors, alone and together", () => {
  const stat = machineOf({
    stat: "cpu  10 1 5 80 2 0 1 7 0 0\ncpu0 10 1 5 80 2 0 1 7 0 0\nintr 5\nbtime 1700000000\nprocs_running 3\nprocs_blocked 1\n",
  }).stat();

  const times = { user: 10, nice: 1, system: 5, idle: 80, iowait: 2, irq: 0, softirq: 1, steal: 7 };
  expect(stat).toEqual({ all: times, cores: [times], bootedAtMs: 1_700_000_000_000, running: 3, blocked: 1 });
});

test("pressure, with and without what stood still in full", () => {
  const some = "some avg10=1.50 avg60=0.40 avg300=0.01 total=5\n";
  const machine = machineOf({
    "pressure/cpu": some,
    "pressure/io": `${some}full avg10=0.10 avg60=0.00 avg300=0.00 total=1\n`,
  });

  expect(machine.pressure("cpu")).toEqual({ some: [1.5, 0.4, 0.01], full: null });
  expect(machine.pressure("io")).toEqual({ some: [1.5, 0.4, 0.01], full: [0.1, 0, 0] });
});

test("mounts: names with spaces, read-only by themselves or by their file system", () => {
  const machine = machineOf({
    "self/mountinfo": [
      "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw",
      "23 22 8:2 /sub /mnt/a\\040b\\134c ro - xfs /dev/sdb rw",
      "24 22 0:5 / /caf\u00e9 rw master:1 propagate_from:2 - nfs4 box:/x ro,vers=4",
      "",
    ].join("\n"),
  });

  const rw = { isReadOnly: false, isDeviceReadOnly: false };
  expect(machine.mounts()).toEqual([
    { point: "/", root: "/", type: "ext4", source: "/dev/sda1", device: "8:1", ...rw },
    { point: "/mnt/a b\\c", root: "/sub", type: "xfs", source: "/dev/sdb", device: "8:2", ...rw, isReadOnly: true },
    {
      point: "/café",
      root: "/",
      type: "nfs4",
      source: "box:/x",
      device: "0:5",
      isReadOnly: true,
      isDeviceReadOnly: true,
    },
  ]);
});

test("interfaces, also where no space follows the colon", () => {
  const head = "Inter-|   Receive  |  Transmit\n face |bytes packets\n";
  const machine = machineOf({ "net/dev": `${head}  eth0:100 1 2 3 0 0 0 0 200 1 4 5 0 0 0 0\n` });

  expect(machine.interfaces()).toEqual([
    { name: "eth0", rxBytes: 100, rxErrors: 2, rxDropped: 3, txBytes: 200, txErrors: 4, txDropped: 5 },
  ]);
});

test("control groups, version 2: the tightest limit on the way up binds", () => {
  const machine = machineOf(
    { "self/cgroup": "0::/a/b\n" },
    {
      "cgroup.controllers": "cpu memory pids\n",
      "a/memory.max": "1000\n",
      "a/cpu.max": "50000 100000\n",
      "a/cpu.stat": "usage_usec 1500000\nnr_periods 10\nnr_throttled 3\n",
      "a/b/memory.max": "max\n",
      "a/memory.current": "600\n",
      "a/memory.stat": "inactive_file 50\n",
      "a/b/memory.current": "400\n",
      "a/b/memory.events": "low 0\noom_kill 2\n",
      "a/b/cpu.max": "max 100000\n",
      "a/b/pids.max": "512\n",
      "a/b/pids.current": "7\n",
    },
  );

  expect(machine.ownCgroup()).toEqual({
    version: 2,
    memory: { usedBytes: 600, reclaimableBytes: 50, limitBytes: 1000, oomKills: 2 },
    cpu: { cores: 0.5, throttled: 3, periods: 10, usedSeconds: 1.5 },
    pids: { used: 7, limit: 512 },
  });
});

test("control groups, version 1, in a container that sees the host's path", () => {
  const machine = machineOf(
    { "self/cgroup": "4:memory:/docker/x\n3:cpu,cpuacct:/docker/x\n2:pids:/docker/x\n" },
    {
      "memory/memory.limit_in_bytes": "9223372036854771712\n",
      "memory/memory.usage_in_bytes": "77\n",
      "memory/memory.stat": "inactive_file 1\ntotal_inactive_file 5\n",
      "cpuacct/cpuacct.usage": "2500000000\n",
      "cpu/cpu.cfs_quota_us": "150000\n",
      "cpu/cpu.cfs_period_us": "100000\n",
      "cpu/cpu.stat": "nr_periods 4\nnr_throttled 0\n",
      "pids/pids.max": "max\n",
    },
  );

  expect(machine.ownCgroup()).toEqual({
    version: 1,
    memory: { usedBytes: 77, reclaimableBytes: 5, limitBytes: null, oomKills: null },
    cpu: { cores: 1.5, throttled: 0, periods: 4, usedSeconds: 2.5 },
    pids: { used: null, limit: null },
  });
});
