import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openProcfs } from "../src/index.js";
import { processFiles, statLine, tree } from "./tree.js";

const USERS =
  "root:x:0:0::/root:/bin/sh\nanna:x:1000:1000::/home/anna:/bin/sh\nsecond:x:1000:1000::/:/bin/sh\nbroken\n";

test("a process's own name cannot forge its line", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 15 }), fc.nat(1_000_000), (name, start) => {
      const comm = name.replaceAll("\0", "");
      const root = tree({ "7/stat": statLine(7, comm, { ppid: 3, start }), "7/status": "Tgid:\t7\n" });

      expect(openProcfs({ root }).processes.readOne(7)).toMatchObject({ comm, ppid: 3, startTicks: start, state: "S" });
    }),
    { numRuns: 40 },
  );
});

test("figures of a recorded line", () => {
  const facts = { ticks: 250, flags: 0x0020_0040, ppid: 2, start: 500, uid: 0, argv: [] };
  const root = tree(processFiles(9, "kworker/0:1", facts));

  expect(openProcfs({ root }).processes.readOne(9)).toEqual({
    pid: 9,
    startTicks: 500,
    ppid: 2,
    group: 9,
    session: 9,
    uid: 0,
    comm: "kworker/0:1",
    argv: [],
    isKernelThread: true,
    state: "S",
    nice: -5,
    threads: 3,
    rssBytes: 25 * 4096,
    cpuTicks: 250,
  });
});

test("CPU over the interval: what ran before does not count, what started since does", async () => {
  let now = 0;
  const root = tree({
    ...processFiles(5, "old", { ticks: 1000 }),
    ...processFiles(6, "reused", { ticks: 800 }),
    uptime: "1000.00 1.00\n",
  });
  const { processes } = openProcfs({ root, now: () => now });
  await processes.read();
  now = 2000;
  for (const [pid, line] of [
    [5, statLine(5, "old", { ticks: 1100 })],
    [6, statLine(6, "reused", { ticks: 50, start: 900 })],
  ] as const)
    writeFileSync(join(root, `${pid}/stat`), line);

  const { processes: read, intervalMs } = await processes.read();

  expect(intervalMs).toBe(2000);
  expect(read.map(({ pid, cpuPercent }) => [pid, cpuPercent])).toEqual([
    [5, 50],
    [6, 25],
  ]);
});

test("who a process is, is read again when it becomes another program, and in time in any case", async () => {
  let now = 0;
  const root = tree({ ...processFiles(5, "sh", { argv: ["sh", "-c", "x"] }), uptime: "1000.00 1.00\n" });
  const { processes } = openProcfs({ root, now: () => (now += 1) });
  const argv = async (): Promise<unknown> => (await processes.read()).processes[0]?.argv;
  expect(await argv()).toEqual(["sh", "-c", "x"]);

  writeFileSync(join(root, "5/cmdline"), "sh\0other\0");
  expect(await argv()).toEqual(["sh", "-c", "x"]);
  writeFileSync(join(root, "5/stat"), statLine(5, "node"));
  expect(await argv()).toEqual(["sh", "other"]);
  writeFileSync(join(root, "5/cmdline"), "node\0x\0");
  now += 60_000;
  expect(await argv()).toEqual(["node", "x"]);
});

test("a title that was written over the arguments is one text", () => {
  const files = processFiles(5, "nginx");
  const root = tree({ ...files, "5/cmdline": "nginx: worker process\0\0\0\0\0" });

  expect(openProcfs({ root }).processes.readOne(5)?.argv).toEqual(["nginx: worker process"]);
});

test("what ended, or cannot be parsed, is left out; what may not be read is null", async () => {
  const root = tree({
    ...processFiles(5, "a"),
    "6/stat": "",
    "7/stat": "7 (half",
    "8/stat": statLine(8, "b"),
    "self/x": "",
  });

  const { processes } = await openProcfs({ root }).processes.read();

  expect(processes.map(({ pid, uid, argv }) => [pid, uid, argv])).toEqual([
    [5, 1000, ["a"]],
    [8, null, []],
  ]);
});

test("users by their numbers, and again when the table changed", () => {
  let now = 0;
  const passwd = join(tree({ passwd: USERS }), "passwd");
  const { userName } = openProcfs({ passwd, now: () => now });
  expect([userName(0), userName(1000), userName(7)]).toEqual(["root", "anna", undefined]);

  writeFileSync(passwd, `${USERS}new:x:7:7::/:/bin/sh\n`);
  now += 6000;
  expect(userName(7)).toBe("new");
  rmSync(passwd);
  now += 6000;
  expect(userName(0)).toBeUndefined();
});

test.each([
  ["0::/\n", { path: "/" }],
  ["0::/system.slice/nginx.service\n", { path: "/system.slice/nginx.service", unit: "nginx.service" }],
  [
    "0::/system.slice/system-getty.slice/getty\\x2dx@tty1.service\n",
    { path: "/system.slice/system-getty.slice/getty\\x2dx@tty1.service", unit: "getty-x@tty1.service" },
  ],
  [
    `0::/system.slice/docker-${"ab".repeat(32)}.scope\n`,
    { path: `/system.slice/docker-${"ab".repeat(32)}.scope`, container: "abababababab" },
  ],
  [`12:pids:/docker/${"0".repeat(64)}\n0::/\n`, { path: `/docker/${"0".repeat(64)}`, container: "000000000000" }],
  [
    `0::/kubepods.slice/pod1.slice/cri-containerd-${"c".repeat(64)}.scope/x:y\n`,
    { path: `/kubepods.slice/pod1.slice/cri-containerd-${"c".repeat(64)}.scope/x:y`, container: "cccccccccccc" },
  ],
  ["3:cpu,cpuacct:/\n2:memory:/\n", { path: "/" }],
  ["", undefined],
])("the control group %j", (text, expected) => {
  const root = tree({ "5/cgroup": text });

  expect(openProcfs({ root }).processes.belongingOf(5)).toEqual(expected === undefined ? undefined : expected);
});

test("listeners: those that wait, by port, with addresses as people write them", async () => {
  const head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";
  const row = (local: string, remote: string, state: string, inode: number): string =>
    `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000   33        0 ${inode} 1 0\n`;
  const none = "00000000:0000";
  const none6 = `${"0".repeat(32)}:0000`;
  const root = tree({
    "net/tcp": head + row("0100007F:1F90", none, "0A", 1) + row("0100007F:0050", "0200007F:1234", "01", 2),
    "net/tcp6":
      head +
      row(`${"0".repeat(32)}:0016`, none6, "0A", 3) +
      row("B80D01200000000000000000010000FE:01BB", none6, "0A", 4) +
      row("0000000000000000FFFF00000100007F:0017", none6, "0A", 5),
    "net/udp": head + row("00000000:0035", none, "07", 6),
  });

  const found = await openProcfs({ root }).processes.listeners();

  expect(found.map(({ protocol, address, port, uid }) => `${protocol} ${address} ${port} ${uid}`)).toEqual([
    "tcp :: 22 33",
    "tcp 127.0.0.1 23 33",
    "udp 0.0.0.0 53 33",
    "tcp 2001:db8::fe00:1 443 33",
    "tcp 127.0.0.1 8080 33",
  ]);
});
