import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { openProcfs } from "@llmc/procfs";
import { viewOf } from "@llmc/te-process";
import type { Snapshot } from "@llmc/te-system";
import { expect, onTestFinished } from "vitest";
import { answerSnapshot, type Block } from "../../../src/tools/sys/answer-snapshot.js";
import { renderSnapshot } from "../../../src/tools/sys/render-snapshot.js";
import { opsWith, test, textOf } from "../../helpers.js";

const GB = 1024 ** 3;

/** As te-system tells of a machine with which nothing is wrong. */
const HEALTHY: Snapshot = {
  summary: { headline: "All well", also: [], figures: "CPU 13% of 8, load 0.42, RAM 4GB/16GB, / 58% used" },
  anomalies: [],
  cpu: { percent: 12.53, stealPercent: 0, iowaitPercent: 0.2, cores: [12, 13], intervalMs: 2000 },
  load: [0.42, 0.38, 0.35],
  memory: {
    totalBytes: 16 * GB,
    availableBytes: 12 * GB,
    usedBytes: 4 * GB,
    freeBytes: 2 * GB,
    swapTotalBytes: GB,
    swapUsedBytes: 0,
  },
  disks: ["/", "/home"].map((point, index) => ({
    mount: {
      point,
      root: "/",
      type: "ext4",
      source: `/dev/sda${index}`,
      device: `8:${index}`,
      isReadOnly: false,
      isDeviceReadOnly: false,
    },
    kind: "disk",
    space: { totalBytes: 100 * GB, usedBytes: 58 * GB, availableBytes: 42 * GB, inodes: null },
    ageMs: 0,
  })),
  all: null,
  pressure: {
    cpu: { some: [1, 1.2, 1], full: [0, 0, 0] },
    memory: { some: [0, 0, 0], full: [0, 0, 0] },
    io: { some: [0, 0.31, 0], full: [0, 0.22, 0] },
  },
  limits: null,
  offenders: [],
  rates: [],
  missing: [],
};

const view = viewOf({ uid: 0, listOtherUsers: false, userName: () => "root" });

test("a healthy machine costs at most 150 tokens, and the first of them say so", () => {
  const text = JSON.stringify(answerSnapshot(HEALTHY, new Set(), view));

  expect(countTokens(text)).toBeLessThanOrEqual(150);
  expect(text).toMatch(/^\{"short_summary":"All well: CPU 13% of 8/);
});

test("the first line names the sickness, the next call, what else is wrong, and the figures", () => {
  const wrong: Snapshot["anomalies"][number] = {
    severity: "critical",
    kind: "disk",
    fact: "/ 97% full, 3GB left",
    likelyCause: "logs, caches or build results",
    nextStep: { id: "large-files", below: "/" },
  };
  const summary = { headline: "CRITICAL: / 97% full, 3GB left", also: [], figures: "CPU 12% of 8" };
  const call = 'linux_fs_list {"path":"/","sort":"size"}';
  const told = (also: readonly string[]) =>
    answerSnapshot({ ...HEALTHY, anomalies: [wrong], summary: { ...summary, also } }, new Set(), view);

  expect(told([]).short_summary).toBe(`CRITICAL: / 97% full, 3GB left; next: ${call}. CPU 12% of 8`);
  expect(told(["swap 75% used", "2 more"]).short_summary).toBe(
    `CRITICAL: / 97% full, 3GB left; next: ${call}. Also: swap 75% used; 2 more. CPU 12% of 8`,
  );
  expect(told([]).anomalies).toEqual([
    { severity: "critical", fact: wrong.fact, likely_cause: wrong.likelyCause, next_call: call },
  ]);
});

function textFor(snapshot: Snapshot, include: readonly Block[] = []): string {
  const blocks = new Set(include);
  return renderSnapshot(answerSnapshot(snapshot, blocks, view), blocks);
}

test("of a healthy machine a model reads one line of at most 60 tokens", () => {
  const text = textFor({ ...HEALTHY, missing: ["pressure: this kernel does not count it (no /proc/pressure)"] });
  expect(text).toBe(
    `All well: CPU 13% of 8, load 0.42, RAM 4GB/16GB, / 58% used
Not known: pressure: this kernel does not count it (no /proc/pressure)`,
  );
  expect(countTokens(text)).toBeLessThanOrEqual(60);
  expect(countTokens(textFor(HEALTHY))).toBeLessThanOrEqual(40);
});

test("of a sick one a line for each thing that is wrong, and nothing twice", () => {
  const anomalies: Snapshot["anomalies"] = [
    {
      severity: "critical",
      kind: "disk",
      fact: "/ 58% full, 3GB left",
      likelyCause: "logs, caches or build results",
      nextStep: { id: "large-files", below: "/" },
    },
    {
      severity: "warning",
      kind: "cpu",
      fact: "CPU 13% over 2.0 s, load 0.42 on 8 processors",
      likelyCause: "programs that compute",
      nextStep: { id: "busiest-processes" },
    },
  ];
  const offender = { pid: 42, argv: ["cc1", "-O2"], comm: "cc1", uid: 0, cpuPercent: 99.6, rssBytes: 300 * 1024 ** 2 };
  const sick = { ...HEALTHY, anomalies, offenders: [offender as unknown as Snapshot["offenders"][number]] };
  const text = textFor({ ...sick, summary: { headline: "CRITICAL: / 58% full", also: [], figures: "CPU 13%" } });
  expect(text)
    .toBe(`CRITICAL: / 58% full, 3GB left. Likely: logs, caches or build results. Next: linux_fs_list {"path":"/","sort":"size"}
WARNING: CPU 13% over 2.0 s, load 0.42 on 8 processors. Likely: programs that compute. Next: linux_proc_list {"sort":"cpu"}
Most used by: pid 42 cc1 -O2 (CPU 100%, 300MB)
RAM 4GB/16GB`);
  expect(countTokens(text)).toBeLessThanOrEqual(110);
});

test("the blocks that were asked for have a line for each thing", async ({ root }) => {
  const text = await textOf(root, "linux.sys_snapshot", { include: ["cores", "net", "ports", "cgroup", "mounts"] });
  expect(text).toMatch(/\ncores: (?:\d+% )*\d+%, steal [\d.]+%, iowait [\d.]+%\n/);
  expect(text).toMatch(/\nlo: in \S+\/s, out \S+\/s/);
  expect(text).toMatch(/\n\/ \S+ \S+: [\d.]+% of \S+, \S+ left/);
  expect(text.slice(text.indexOf("\ncores"))).not.toMatch(/[{}"]/);
});

test("the seed's fields, and what more there is", async ({ ops }) => {
  const answer = await ops.call("linux.sys_snapshot", {});

  expect(answer).toMatchObject({
    cpu_percent: expect.any(Number),
    load_avg: [expect.any(Number), expect.any(Number), expect.any(Number)],
    mem_used_mb: expect.any(Number),
    mem_total_mb: Math.floor((openProcfs().machine.meminfo()?.get("MemTotal") ?? 0) / 1024 / 1024),
    short_summary: expect.any(String),
  });
  expect(answer.disks.every(({ mount, used_percent: used }) => mount.startsWith("/") && used >= 0 && used <= 100)).toBe(
    true,
  );
  expect(Object.keys(answer)).not.toContain("ports");
});

test("more blocks on request: processors, network, ports, limits, mounts", async ({ ops }) => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const answer = await ops.call("linux.sys_snapshot", { include: ["cores", "net", "ports", "cgroup", "mounts"] });

  expect(answer.ports?.find((each) => each.port === port)).toMatchObject({
    protocol: "tcp",
    address: "127.0.0.1",
    pid: process.pid,
    process: expect.stringContaining("node"),
  });
  expect(answer.cores?.percent.length).toBeGreaterThan(0);
  expect(answer.net?.map(({ name }) => name)).toContain("lo");
  expect(answer.mounts?.map(({ mount }) => mount)).toContain("/");
});

test("thresholds come from the configuration, and the switch closes the tool", async ({ root }) => {
  const anxious = opsWith(root, { linux_ops: { system: { thresholds: { disk_percent: 0 } } } });
  onTestFinished(() => anxious.close());
  const { anomalies } = await anxious.call("linux.sys_snapshot", {});
  expect(anomalies.map(({ fact }) => fact).join()).toMatch(/full/);

  const closed = opsWith(root, { linux_ops: { features: { system_enabled: false } } });
  onTestFinished(() => closed.close());
  await expect(closed.call("linux.sys_snapshot", {})).rejects.toMatchObject({
    code: "FEATURE_DISABLED",
    hint: expect.stringContaining("features.system_enabled"),
  });
});

test("an unknown block is an error that lists the known ones", async ({ root }) => {
  await expect(textOf(root, "linux.sys_snapshot", { include: ["gpu"] })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: expect.stringContaining('"cores", "net", "ports", "cgroup", "mounts"'),
  });
});

test("of another user's process the name is told, never its arguments", () => {
  const other = {
    pid: 4242,
    startTicks: 1,
    ppid: 1,
    group: 4242,
    session: 4242,
    uid: 1000,
    comm: "node",
    argv: ["node", "server.js", "--token=hunter2secret"],
    isKernelThread: false,
    state: "R",
    nice: 0,
    threads: 1,
    rssBytes: 100 * 1024 * 1024,
    cpuTicks: 1,
    cpuPercent: 99.96,
  };
  const offenders = [other, { ...other, uid: 0, argv: ["node", "own.js", "--password", "hunter2secret"] }];
  const answer = answerSnapshot({ ...HEALTHY, offenders }, new Set(), view);

  expect(answer.offenders?.map(({ command, cpu_percent: cpu, mem_mb: mb }) => [command, cpu, mb])).toEqual([
    ["[node]", 100, 100],
    ["node own.js --password ***", 100, 100],
  ]);
});
