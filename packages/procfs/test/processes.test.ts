import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openProcfs, type MeasuredProcess } from "../src/index.js";

const LINES = "for await (const _ of process.stdin);";

async function start(program: string, args: readonly string[], options = {}): Promise<ChildProcess & { pid: number }> {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], ...options });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  return child as ChildProcess & { pid: number };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

function find(processes: readonly MeasuredProcess[], pid: number): MeasuredProcess {
  const found = processes.find((each) => each.pid === pid);
  if (found === undefined) throw new Error(`${pid} is not listed`);
  return found;
}

test("this very process is read as it is", async () => {
  const { processes, units, userName } = openProcfs();

  const own = find((await processes.read()).processes, process.pid);

  expect(own).toMatchObject({ pid: process.pid, ppid: process.ppid, uid: process.geteuid?.(), isKernelThread: false });
  expect(own.argv?.[0]).toBe(readFileSync("/proc/self/cmdline", "utf8").split("\0")[0]);
  expect(own.threads).toBeGreaterThan(4);
  expect(own.rssBytes % units.pageBytes).toBe(0);
  expect(own.rssBytes).toBeGreaterThan(20 * 1024 * 1024);
  expect(userName(0)).toBe("root");
  expect(userName(4_000_000)).toBeUndefined();
});

test("arguments are as they were given, with spaces, newlines and brackets in the name", async () => {
  const { processes } = openProcfs();
  const args = ["-e", LINES, "--", "a b", "c\nd", "", ") R 1"];
  const child = await start(process.execPath, args, { argv0: "na) me (x" });

  const found = find((await processes.read()).processes, child.pid);

  expect(found.argv).toEqual(["na) me (x", ...args]);
  expect(found.ppid).toBe(process.pid);
});

test("a process that works is told from one that waits, at the first reading and at the next", async () => {
  const { processes } = openProcfs();
  const busy = await start(process.execPath, ["-e", "console.log(1); for (;;);"]);
  const idle = await start(process.execPath, ["--input-type=module", "-e", `console.log(1); ${LINES}`]);
  await Promise.all([once(busy.stdout!, "data"), once(idle.stdout!, "data")]);

  const first = await processes.read();
  expect(first.intervalMs).toBeGreaterThanOrEqual(100);
  // However many share the processors: the busy one got more than the idle one.
  const used = (reading: typeof first, { pid }: { pid: number }): number => find(reading.processes, pid).cpuPercent;
  const long = await processes.read();
  expect(used(long, busy)).toBeGreaterThan(used(long, idle));
  expect(used(first, busy)).toBeGreaterThanOrEqual(0);
});

test("CPU is measured since an earlier reading, unless that is too long ago", async () => {
  let now = 1_000_000;
  const { processes } = openProcfs({ now: () => now });

  const intervals: number[] = [];
  for (const step of [0, 3000, 9000, 12_000, 200]) {
    now += step;
    intervals.push((await processes.read()).intervalMs);
  }

  // The clock stands still: where a second look is taken, no time passes for it.
  expect(intervals).toEqual([0, 3000, 9000, 0, 200]);
});

test("a cancelled reading ends with the reason", async () => {
  const { processes } = openProcfs();
  const cancel = new AbortController();
  const reading = processes.read({ signal: cancel.signal });
  cancel.abort();

  await expect(reading).rejects.toThrow(/abort/i);
});

test("one process is read anew; a thread and a number that is none are no process", async () => {
  const { processes } = openProcfs();
  const thread = Number(readdirSync(`/proc/${process.pid}/task`).find((tid) => Number(tid) !== process.pid));

  expect(processes.readOne(process.pid)?.pid).toBe(process.pid);
  expect(thread).toBeGreaterThan(1);
  expect([thread, 0, -1, 1.5, Number.NaN, 2 ** 40].map((pid) => processes.readOne(pid))).toEqual(
    Array.from({ length: 6 }, () => undefined),
  );
});

test("a process is the same until it ends, and a zombie says that it is one", async () => {
  const { processes } = openProcfs();
  // What the shell becomes knows nothing of the child, and leaves it unreaped; the shell itself might not.
  const child = `sh -c 'until read -r name < /proc/$PPID/comm && [ "$name" = sleep ]; do :; done'`;
  const parent = await start("/bin/sh", ["-c", `${child} & echo $!; exec sleep 600`]);
  const [text] = (await once(parent.stdout!, "data")) as [Buffer];
  const zombie = Number(text.toString());
  await expect.poll(() => processes.lifeOf(zombie)?.state, { timeout: 20_000 }).toBe("Z");

  const { startTicks } = processes.lifeOf(zombie)!;
  expect(processes.isSame(zombie, startTicks)).toBe(true);
  expect(processes.isSame(zombie, startTicks + 1)).toBe(false);
  expect(processes.readOne(zombie)?.argv).toEqual([]);

  parent.kill("SIGKILL");
  await ended(parent);
  await expect.poll(() => processes.isSame(parent.pid, startTicks), { timeout: 20_000 }).toBe(false);
});

test("kin: the way up to the first process, and the children of one", async () => {
  const { processes } = openProcfs();
  const child = await start("/bin/sh", ["-c", "sleep 600 & echo $!; wait"]);
  onTestFinished(() => {
    for (const pid of processes.childrenOf(child.pid)) process.kill(pid, "SIGKILL");
  });
  const [text] = (await once(child.stdout!, "data")) as [Buffer];

  expect(processes.childrenOf(child.pid)).toEqual([Number(text.toString())]);
  expect(processes.ancestorsOf(Number(text.toString())).slice(0, 2)).toEqual([child.pid, process.pid]);
  expect(processes.childrenOf(process.pid)).toContain(child.pid);
  expect(processes.ancestorsOf(2 ** 30)).toEqual([]);
});

test("who listens is told with its process", async () => {
  const { processes } = openProcfs();
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const found = (await processes.listeners()).filter((each) => each.port === port);

  expect(found).toEqual([
    { protocol: "tcp", address: "127.0.0.1", port, uid: process.geteuid?.(), pids: [process.pid] },
  ]);
});

test("processes are read while the event loop has its turns", async () => {
  const { processes } = openProcfs({ sliceMs: 0.01 });
  let turns = 0;
  const tick = (): void => {
    turns += 1;
    next = setImmediate(tick);
  };
  let next = setImmediate(tick);

  await processes.read();
  const { processes: all } = await processes.read();
  clearImmediate(next);

  expect(all.length).toBeGreaterThan(3);
  expect(turns).toBeGreaterThan(all.length / 2);
});
