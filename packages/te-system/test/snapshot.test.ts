import { readFileSync } from "node:fs";
import { openProcfs } from "@llmc/procfs";
import { expect, test } from "vitest";
import { openSystem, type Snapshot } from "../src/index.js";
import { GB, HEALTHY, THRESHOLDS, machine, meminfo, pressure, space, stat, type Composed } from "./machine.js";

/** The second of two calls, with two seconds between in which `change` happens. */
async function after(composed: Composed, change: (composed: Composed) => void = () => {}): Promise<Snapshot> {
  await composed.system.snapshot();
  composed.clock.pass(2000);
  composed.proc("stat", stat(8, { user: 1024, idle: 9176 }));
  change(composed);
  return composed.system.snapshot();
}

const facts = ({ anomalies }: Snapshot): string[] => anomalies.map(({ severity, fact }) => `${severity}: ${fact}`);

test("a healthy machine is one line that says so, with its figures", async () => {
  const snapshot = await after(machine(HEALTHY));

  expect(snapshot.summary).toEqual({
    headline: "All well",
    also: [],
    figures: "CPU 12% of 8, load 0.42, RAM 4GB/16GB, / 58% used",
  });
  expect(snapshot.anomalies).toEqual([]);
  expect(snapshot.offenders).toEqual([]);
  expect(snapshot.missing).toEqual([]);
  expect(snapshot.cpu).toMatchObject({ percent: 12, intervalMs: 2000 });
  expect(snapshot.memory).toMatchObject({ usedBytes: 4 * GB, availableBytes: 12 * GB });
});

test("the headline names the sickness, and its first anomaly the next step", async () => {
  const full = machine({ ...HEALTHY, spaces: { "/": space(100 * GB, 97) } });

  const { summary, anomalies } = await after(full);

  expect(summary).toEqual({
    headline: "CRITICAL: / 97% full, 3GB left",
    also: [],
    figures: "CPU 12% of 8, load 0.42, RAM 4GB/16GB, / 97% used",
  });
  expect(anomalies[0]).toMatchObject({
    severity: "critical",
    kind: "disk",
    likelyCause: expect.any(String),
    nextStep: { id: "large-files", below: "/" },
  });
});

test.for<[string, (composed: Composed) => void, string]>([
  ["a disk", ({ space: set }) => set("/", space(100 * GB, 91)), "warning: / 91% full, 9GB left"],
  [
    "inodes",
    ({ space: set }) => set("/", space(100 * GB, 10, 99)),
    "critical: / has 99% of its inodes in use: no new files soon, whatever space is left",
  ],
  ["processors", ({ proc }) => proc("stat", stat(8, { user: 1198, idle: 9002 })), "warning: CPU 99% over 2.0 s"],
  ["load", ({ proc }) => proc("loadavg", "17.5 3 1 1/300 4000\n"), "warning: load 17.5 on 8 processors"],
  [
    "other guests",
    ({ proc }) => proc("stat", stat(8, { user: 1020, idle: 9140, steal: 40 })),
    "warning: 20% of the CPU time goes to other virtual machines (steal)",
  ],
  ["memory", ({ proc }) => proc("meminfo", meminfo(16 * GB, 92)), "warning: memory 92% used, 1.3GB available"],
  [
    "swap",
    ({ proc }) => proc("meminfo", meminfo(16 * GB, 50, { total: 8 * GB, used: 6 * GB })),
    "warning: swap 75% used",
  ],
  [
    "swapping",
    ({ proc }) => proc("vmstat", "oom_kill 0\npswpin 3000\npswpout 1000\n"),
    "warning: 7.8MB a second go to swap and back",
  ],
  [
    "the killer",
    ({ proc }) => proc("vmstat", "oom_kill 2\npswpin 0\npswpout 0\n"),
    "critical: the kernel killed 2 processes for want of memory in the last 2 s",
  ],
  [
    "waiting for memory",
    ({ proc }) => proc("pressure/memory", pressure(35, 20)),
    "warning: work waited for memory 35% of the last minute",
  ],
  [
    "waiting for disks",
    ({ proc }) => proc("pressure/io", pressure(70)),
    "critical: work waited for disks 70% of the last minute",
  ],
  [
    "a disk that turned read-only",
    ({ proc }) => proc("self/mountinfo", "22 1 8:1 / / ro,relatime - ext4 /dev/sda1 ro\n"),
    "warning: / (ext4) is read-only",
  ],
])("%s: at its threshold it is told, and only it", async ([, change, expected]) => {
  expect(facts(await after(machine(HEALTHY), change))).toEqual([expected]);
});

test("thresholds are the operator's", async () => {
  const strict = machine(HEALTHY, {
    thresholds: { ...THRESHOLDS, diskPercent: 50, cpuPercent: 10, loadPerCore: 0.05 },
  });

  expect(facts(await after(strict))).toEqual([
    "warning: / 58% full, 42GB left",
    "warning: CPU 12% over 2.0 s, load 0.42 on 8 processors",
  ]);
});

test("what is not told is null with its reason, and nobody says that all is well", async () => {
  const blind = machine({ proc: {} });
  const { summary, cpu, load, memory, pressure: waited, disks, missing } = await blind.system.snapshot();

  expect([cpu, load, memory, waited.cpu, disks]).toEqual([null, null, null, null, []]);
  expect(missing).toHaveLength(5);
  expect(summary).toEqual({ headline: "Nothing wrong in what can be read", also: [], figures: "" });
});

test("a sample older than ten seconds is not measured over", async () => {
  const composed = machine(HEALTHY);
  await composed.system.snapshot();
  composed.clock.pass(11_000);
  composed.proc("stat", stat(8, { user: 9000, idle: 9000 }));

  expect((await composed.system.snapshot()).cpu).toBe(null);
});

test("one row for each device; images, the kernel's own and a container's bound files are none", async () => {
  const lines = [
    "22 1 8:1 / / rw - ext4 /dev/sda1 rw",
    "23 22 8:1 /var/www /srv/www rw - ext4 /dev/sda1 rw",
    "24 22 0:20 / /run rw - tmpfs tmpfs rw",
    "25 22 7:0 / /snap/core rw - squashfs /dev/loop0 ro",
    "26 22 8:2 /containers/x/hosts /etc/hosts rw - ext4 /dev/sdb1 rw",
    "27 22 0:30 /@home /home rw - btrfs /dev/sdc1 rw",
    "28 22 0:31 /@var /var rw - btrfs /dev/sdc1 rw",
    "29 22 0:40 / /data rw - zfs tank/data rw",
  ];
  const spaces = Object.fromEntries(
    ["/", "/srv/www", "/run", "/snap/core", "/etc/hosts", "/home", "/var", "/data"].map((at) => [at, space(GB, 10)]),
  );
  const many = machine({ proc: { ...HEALTHY.proc, "self/mountinfo": `${lines.join("\n")}\n` }, spaces });
  const { disks, all } = await many.system.snapshot();

  expect(disks.map(({ mount }) => mount.point)).toEqual(["/", "/data", "/var"]);
  expect(all?.disks.map(({ mount }) => mount.point)).toEqual(["/", "/data", "/run", "/var"]);
});

test("what is in memory has a row once it is nearly full", async () => {
  const proc = {
    ...HEALTHY.proc,
    "self/mountinfo": `${HEALTHY.proc["self/mountinfo"]}24 22 0:20 / /run rw - tmpfs tmpfs rw\n`,
  };
  const full = machine({ proc, spaces: { ...HEALTHY.spaces, "/run": space(GB, 100) } });
  const { disks, anomalies } = await full.system.snapshot();

  expect(disks.map(({ mount }) => mount.point)).toEqual(["/", "/run"]);
  expect(anomalies[0]).toMatchObject({ fact: "/run 100% full, 0B left", likelyCause: "files in memory (tmpfs)" });
});

test("a disk that fills says when it will be full, once it was seen for a minute", async () => {
  const composed = machine({ ...HEALTHY, spaces: { "/": space(100 * GB, 40) } });
  await composed.system.snapshot();
  composed.clock.pass(30 * 60_000);
  composed.space("/", space(100 * GB, 50));
  const growing = await composed.system.snapshot();
  composed.clock.pass(60_000);
  composed.space("/", space(100 * GB, 30));

  expect(facts(growing)).toEqual(["warning: / fills in ~2 h 30 min (20GB an hour, over the last 30 min)"]);
  expect(facts(await composed.system.snapshot())).toEqual([]);
});

test("in a container its own limits are told beside the machine's, and what it runs into", async () => {
  const container = machine({
    ...HEALTHY,
    proc: { ...HEALTHY.proc, "self/cgroup": "0::/\n" },
    cgroup: {
      "cgroup.controllers": "cpu memory pids\n",
      "memory.max": `${GB}\n`,
      "memory.current": `${Math.round(0.99 * GB)}\n`,
      "memory.stat": `inactive_file ${Math.round(0.01 * GB)}\n`,
      "memory.events": "oom_kill 0\n",
      "cpu.max": "50000 100000\n",
      "cpu.stat": "usage_usec 1000000\nnr_periods 100\nnr_throttled 0\n",
      "pids.max": "100\n",
      "pids.current": "95\n",
    },
  });
  const snapshot = await after(container, ({ cgroup }) =>
    cgroup("cpu.stat", "usage_usec 2000000\nnr_periods 120\nnr_throttled 15\n"),
  );

  expect(facts(snapshot)).toEqual([
    "critical: this container's memory 98% used: 1003.5MB of 1GB",
    "critical: 95 of 100 processes and threads of this container are in use",
    "warning: this container was throttled in 75% of the last periods: it may use 0.5 processors",
  ]);
  expect(snapshot.limits).toMatchObject({ cpuPercent: 100, throttledPercent: 75, isLimited: true });
  expect(snapshot.summary.figures).toContain("container 1013.8MB/1GB");
});

test("this machine is read as its own files say", async () => {
  const system = openSystem({ procfs: openProcfs(), thresholds: THRESHOLDS });
  const { cpu, memory, load, disks } = await system.snapshot();

  const total = Number(/^MemTotal:\s+(\d+)/m.exec(readFileSync("/proc/meminfo", "utf8"))?.[1]) * 1024;
  expect(memory?.totalBytes).toBe(total);
  expect(cpu?.percent).toBeGreaterThanOrEqual(0);
  expect(cpu?.intervalMs).toBeGreaterThanOrEqual(100);
  expect(load).toHaveLength(3);
  expect(disks.length).toBeGreaterThan(0);
});

test("kills of before the first look are told as what they are, behind what goes on now; without logs none is named", async () => {
  const files = { ...HEALTHY.proc, vmstat: "oom_kill 3\n", uptime: "3600.00 1.00\n", loadavg: "20 1 1 1/300 4000\n" };
  const { anomalies } = await machine({ ...HEALTHY, proc: files }, { hasLogs: false }).system.snapshot();

  expect(anomalies.map(({ fact, severity, nextStep }) => [severity, fact, nextStep])).toEqual([
    ["warning", "load 20 on 8 processors", { id: "busiest-processes" }],
    [
      "warning",
      "the kernel killed 3 processes for want of memory since the machine started 1 h ago",
      { id: "largest-processes" },
    ],
  ]);
});
