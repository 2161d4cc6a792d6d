import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { estimateTokens } from "@llmc/toolkit";
import { expect, onTestFinished } from "vitest";
import { opsWith, test, textOf } from "../../helpers.js";
import { isRoot, LONG, NOBODY, start } from "./programs.js";

test("own processes with pid, user, figures and command, and over which time they were measured", async ({ ops }) => {
  const child = await start("/bin/sleep", ["700.25"]);

  const found = await ops.call("linux.proc_list", { name: "sleep 700.25" });

  expect(found).toMatchObject({ total_processes: 1, truncated: false, handle: null });
  expect(found.interval_ms).toBeGreaterThanOrEqual(100);
  expect(found.processes).toEqual([
    {
      pid: child.pid,
      user: expect.any(String),
      cpu_percent: 0,
      mem_percent: expect.any(Number),
      command: "/bin/sleep 700.25",
    },
  ]);
});

test("a secret on a command line is neither shown nor found", async ({ ops }) => {
  await start(process.execPath, ["-e", "setInterval(() => {}, 1e6)", "x", "--password", "hunter2hunter2"]);

  const shown = await ops.call("linux.proc_list", { name: "--password ***", fields: ["args"] });
  expect(shown.total_processes).toBe(1);
  expect(JSON.stringify(shown)).not.toContain("hunter2");
  expect((await ops.call("linux.proc_list", { name: "hunter2" })).total_processes).toBe(0);
});

test("more columns where they are asked for", async ({ ops }) => {
  const child = await start("/bin/sleep", ["700.5"]);
  const fields = [
    "ppid",
    "start_id",
    "started",
    "rss_bytes",
    "state",
    "threads",
    "nice",
    "cpu_seconds",
    "unit",
    "container",
    "args",
  ] as const;

  const { processes } = await ops.call("linux.proc_list", { name: "sleep 700.5", fields: [...fields] });

  expect(processes[0]).toMatchObject({
    pid: child.pid,
    ppid: process.pid,
    state: "S",
    threads: 1,
    args: "/bin/sleep 700.5",
  });
  for (const field of fields) expect(processes[0]).toHaveProperty(field);
  expect(Math.abs(Date.parse(processes[0]?.started ?? "") - Date.now())).toBeLessThan(120_000);
});

test("who listens on a port, and where", async ({ ops, root }) => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const { processes } = await ops.call("linux.proc_list", { port, fields: ["ports"] });

  expect(processes.map(({ pid }) => pid)).toEqual([process.pid]);
  expect(processes[0]?.ports).toContain(`tcp 127.0.0.1:${port}`);
  expect(await textOf(root, "linux.proc_list", { port, fields: ["ports"] })).toContain(`tcp/127.0.0.1:${port}`);
});

test("who listens, with all ports, in one call; a port that is free", async ({ ops, root }) => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const { processes } = await ops.call("linux.proc_list", { ports: true });
  const text = await textOf(root, "linux.proc_list", { ports: true });
  server.close();
  await once(server, "close");

  expect(processes.find(({ pid }) => pid === process.pid)?.ports).toContain(`tcp 127.0.0.1:${port}`);
  for (const each of processes) expect(each.ports).not.toEqual([]);
  expect(text).toMatch(new RegExp(`^${process.pid} .*tcp/127\\.0\\.0\\.1:${port}\\b.*$`, "m"));
  expect(await textOf(root, "linux.proc_list", { port })).toBe(`Nothing listens on port ${port}.`);
  expect(await ops.call("linux.proc_list", { port })).toMatchObject({ processes: [], total_processes: 0 });
});

test("a list that is cut keeps all of it behind a handle", async ({ ops }) => {
  await start("/bin/sleep", ["701"]);
  await start("/bin/sleep", ["701"]);

  const found = await ops.call("linux.proc_list", { max_results: 1, name: "sleep 701", sort: "pid" });

  expect([found.processes.length, found.total_processes, found.truncated]).toEqual([1, 2, true]);
  const { data } = await ops.call("linux.handle_read", { handle: found.handle ?? "" });
  expect(JSON.parse(data)).toMatchObject([found.processes[0], { command: "/bin/sleep 701" }]);
});

test("idle rows are counted by name; the text of a whole machine stays short", async ({ root }) => {
  for (let count = 0; count < 13; count += 1) await start("/bin/sleep", ["702"]);

  const text = await textOf(root, "linux.proc_list", {});

  expect(text).toMatch(/^\[\d+ processes? · by cpu · CPU over \d+\.\d s/);
  expect(text).toMatch(/^idle \d+: .*\bsleep ×\d+/m);
  expect(text).not.toContain("sleep 702");
  expect(estimateTokens(text)).toBeLessThan(5000);
  expect(await textOf(root, "linux.proc_list", { name: "sleep 702" })).toContain("/bin/sleep 702");
});

test("very many dead children are counted, not listed", async ({ root }) => {
  // The shell becomes a program that knows of no child.
  await start("/bin/sh", ["-c", "for each in $(seq 40); do /bin/true & done; exec sleep 704"]);
  const listed = () => textOf(root, "linux.proc_list", { max_results: 5000 });
  await expect.poll(listed, LONG).toMatch(/\nidle .*\btrue \(zombie\) ×\d\d/);
  expect(await listed()).not.toContain("[true] (zombie)");
});

test("a dead child that nobody has looked after is called a zombie", async ({ ops, root }) => {
  // The shell becomes a program that knows of no child.
  const parent = await start("/bin/sh", ["-c", "sleep 0 & exec sleep 703"]);
  const zombies = async () => {
    const { processes } = await ops.call("linux.proc_list", { fields: ["ppid"], max_results: 5000 });
    return processes.filter(({ ppid, state }) => ppid === parent.pid && state === "Z");
  };
  await expect.poll(async () => (await zombies()).length, LONG).toBe(1);

  expect((await zombies())[0]).toMatchObject({ command: "[sleep]", cpu_percent: 0 });
  expect(await textOf(root, "linux.proc_list", { name: "sleep" })).toContain("[sleep] (zombie)");
});

test.skipIf(!isRoot)(
  "others' processes are counted, with the switch that shows them (needs root)",
  async ({ ops, root }) => {
    const child = await start("/bin/sleep", ["704"], { uid: NOBODY, gid: NOBODY });

    const closed = await ops.call("linux.proc_list", { user: String(NOBODY) });
    expect([closed.processes, closed.total_processes]).toEqual([[], 0]);
    expect(closed.hidden).toBeGreaterThan(0);
    expect(await textOf(root, "linux.proc_list", {})).toMatch(
      /hidden \(mcp\.linux_ops\.process_limits\.list_other_users\)/,
    );

    for (const key of ["list_other_users", "allow_kill_other_users"] as const) {
      const open = opsWith(root, { linux_ops: { process_limits: { [key]: true } } });
      onTestFinished(() => open.close());
      const { processes, hidden } = await open.call("linux.proc_list", { user: String(NOBODY), name: "sleep 704" });
      expect([processes.map(({ pid }) => pid), hidden]).toEqual([[child.pid], undefined]);
    }
  },
);

test("a switch closes the three of them", async ({ root }) => {
  const ops = opsWith(root, { linux_ops: { features: { proc_enabled: false } } });
  onTestFinished(() => ops.close());

  for (const [name, args] of [
    ["linux.proc_list", {}],
    ["linux.proc_tree", {}],
    ["linux.proc_kill", { pid: 2 ** 22 + 5 }],
  ] as const)
    await expect(ops.call(name, args as never)).rejects.toMatchObject({
      code: "FEATURE_DISABLED",
      hint: expect.stringContaining("features.proc_enabled"),
    });
});
