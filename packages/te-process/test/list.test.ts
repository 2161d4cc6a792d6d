import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import type { Procfs } from "@llmc/procfs";
import { listProcesses as list, processTree, type ListQuery, type View } from "../src/index.js";
import { isRoot, LONG, NOBODY, said, shell, start, world } from "./programs.js";

/** With what is told of each. */
async function listProcesses(procfs: Procfs, view: View, query: ListQuery) {
  const { processes, tell, ...rest } = await list(procfs, view, query);
  return { ...rest, processes: processes.map((each) => ({ ...each, ...tell(each) })) };
}

test("own processes are listed with what they use, by name, memory and pid", async () => {
  const { procfs, view } = world();
  const child = await start("/bin/sleep", ["600.25"]);

  const { processes, intervalMs, hidden } = await listProcesses(procfs, view, { sort: "pid", name: "SLEEP 600.25" });

  expect(processes).toHaveLength(1);
  expect(processes[0]).toMatchObject({
    pid: child.pid,
    ppid: process.pid,
    command: "/bin/sleep 600.25",
    cpuPercent: 0,
  });
  expect(processes[0]?.memPercent).toBeGreaterThan(0);
  expect(Math.abs((processes[0]?.startedAtMs ?? 0) - Date.now())).toBeLessThan(120_000);
  expect(intervalMs).toBeGreaterThanOrEqual(100);
  expect(hidden).toBeGreaterThanOrEqual(0);
});

test("sorted as asked", async () => {
  const { procfs, view } = world();
  await start("/bin/sleep", ["600"]);

  const by = async (sort: "cpu" | "mem" | "start" | "pid") => (await listProcesses(procfs, view, { sort })).processes;
  const [cpu, mem, begun, pid] = [await by("cpu"), await by("mem"), await by("start"), await by("pid")];

  expect(cpu.map((each) => each.cpuPercent)).toEqual(cpu.map((each) => each.cpuPercent).toSorted((a, b) => b - a));
  expect(mem.map((each) => each.rssBytes)).toEqual(mem.map((each) => each.rssBytes).toSorted((a, b) => b - a));
  expect(begun.map((each) => each.startTicks)).toEqual(begun.map((each) => each.startTicks).toSorted((a, b) => b - a));
  expect(pid.map((each) => each.pid)).toEqual(pid.map((each) => each.pid).toSorted((a, b) => a - b));
});

test("who listens on a port", async () => {
  const { procfs, view } = world();
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const { processes } = await listProcesses(procfs, view, { sort: "cpu", port });

  expect(processes.map(({ pid }) => pid)).toEqual([process.pid]);
  await expect(listProcesses(procfs, view, { sort: "cpu", port: 0 })).rejects.toThrow("0 is not a valid port");
});

test("figures that are too small leave a process out", async () => {
  const { procfs, view } = world();
  const child = await start("/bin/sleep", ["600"]);
  const busy = await start(process.execPath, ["-e", "console.log(1); for (;;);"]);
  await said(busy);

  const { processes } = await listProcesses(procfs, view, { sort: "cpu", minCpu: 0.5 });
  const large = await listProcesses(procfs, view, { sort: "cpu", minMem: 99 });

  expect(processes.map(({ pid }) => pid)).not.toContain(child.pid);
  expect(large.processes).toEqual([]);
});

test.skipIf(!isRoot)(
  "other users' processes are counted, and shown where the operator says so (needs root)",
  async () => {
    const child = await start("/bin/sleep", ["601"], { uid: NOBODY, gid: NOBODY });
    const seen = async (listOtherUsers: boolean) => {
      const { procfs, view } = world({ listOtherUsers });
      const { processes, hidden } = await listProcesses(procfs, view, { sort: "pid", user: String(NOBODY) });
      return { rows: processes.filter(({ pid }) => pid === child.pid).map(({ command }) => command), hidden };
    };

    expect((await seen(false)).rows).toEqual([]);
    expect((await seen(false)).hidden).toBeGreaterThan(0);
    expect(await seen(true)).toEqual({ rows: ["/bin/sleep 601"], hidden: 0 });
  },
);

test("a tree: parents before children, sums above, siblings of one kind as one", async () => {
  const { procfs, view } = world();
  const top = await shell("for i in 1 2 3 4; do sleep 602 & done; sh -c 'sleep 603 & echo ready; wait' & wait");
  onTestFinished(() => endBelow(top.pid, procfs));

  const tell = async () => (await processTree(procfs, view, { pid: top.pid, depth: 5 })).nodes;
  // A child of the shell is a shell until it has become its program.
  await expect
    .poll(
      async () =>
        (await tell()).map(({ command, level, descendants, folded }) => ({ command, level, descendants, folded })),
      LONG,
    )
    .toEqual([
      { command: expect.stringContaining("/bin/sh -c"), level: 0, descendants: 6, folded: undefined },
      { command: "sleep 602", level: 1, descendants: 0, folded: 4 },
      { command: expect.stringContaining("sh -c"), level: 1, descendants: 1, folded: undefined },
      { command: "sleep 603", level: 2, descendants: 0, folded: undefined },
    ]);
  const whole = await tell();
  const shallow = await processTree(procfs, view, { pid: top.pid, depth: 0 });

  expect(shallow.nodes).toHaveLength(1);
  expect(shallow.deeper).toBe(6);
  expect(shallow.nodes[0]?.rssBytes).toBeGreaterThan(whole[1]?.rssBytes ?? 0);
  await expect(processTree(procfs, view, { pid: 2 ** 22 + 1, depth: 1 })).rejects.toThrow(/There is no process/);
  await expect(processTree(procfs, view, { pid: 0, depth: 1 })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

test.skipIf(!isRoot)("in a tree another user's process has its name only (needs root)", async () => {
  const { procfs, view } = world();
  const child = await start("/bin/sleep", ["604"], { uid: NOBODY, gid: NOBODY });

  const { nodes } = await processTree(procfs, view, { pid: child.pid, depth: 0 });

  expect(nodes[0]).toMatchObject({ command: "[sleep]", pid: child.pid });
});

function endBelow(pid: number, { processes }: ReturnType<typeof world>["procfs"]): void {
  for (const child of processes.childrenOf(pid)) {
    endBelow(child, { processes } as never);
    try {
      process.kill(child, "SIGKILL");
    } catch {
      // A shell whose last child was ended ends by itself.
    }
  }
}
