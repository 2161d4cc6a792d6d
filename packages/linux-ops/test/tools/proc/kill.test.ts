import { once } from "node:events";
import { expect, onTestFinished } from "vitest";
import { opsWith, test, textOf } from "../../helpers.js";
import { isRoot, LONG, NOBODY, shell, start } from "./programs.js";

test("TERM by default; the seed's answer, and whether it ended", async ({ ops }) => {
  const child = await start("/bin/sleep", ["720"]);
  const exit = once(child, "exit");

  const killed = await ops.call("linux.proc_kill", { pid: child.pid, wait_ms: 20_000 });

  expect(killed).toEqual({
    success: true,
    message: `Sent SIGTERM to pid ${child.pid}`,
    outcome: expect.stringMatching(/^(exited|zombie)$/),
  });
  expect(await exit).toEqual([null, "SIGTERM"]);
});

test("one that ignores TERM is told, with what would help; escalate does it", async ({ ops }) => {
  const deaf = await shell("trap '' TERM; echo ready; while :; do sleep 0.05; done");

  expect(await ops.call("linux.proc_kill", { pid: deaf.pid, wait_ms: 30 })).toMatchObject({
    outcome: "ignores the signal",
    hint: 'signal: "KILL" ends it.',
  });
  expect(await ops.call("linux.proc_kill", { pid: deaf.pid, wait_ms: 30, escalate: true })).toMatchObject({
    message: `Sent SIGTERM, then SIGKILL, to pid ${deaf.pid}`,
    escalated: true,
  });
});

test("a tree is planned first; its start_id is the word to go ahead", async ({ ops }) => {
  const top = await shell("sleep 721 & echo ready; wait");
  const plan = () => ops.call("linux.proc_kill", { pid: top.pid, tree: true });
  await expect
    .poll(async () => (await plan()).plan?.map(({ command }) => command), LONG)
    .toEqual([expect.any(String), "sleep 721"]);
  const { success, plan: planned = [], hint } = await plan();
  expect([success, hint]).toEqual([false, `Repeat the call with start_id: ${planned[0]?.start_id} to do it.`]);
  expect(top.exitCode).toBeNull();

  const killed = await ops.call("linux.proc_kill", {
    pid: top.pid,
    tree: true,
    start_id: planned[0]!.start_id,
    wait_ms: 20_000,
  });

  expect(killed).toMatchObject({ success: true, message: `Sent SIGTERM to pid ${top.pid} and 1 below it` });
  expect(killed.targets?.map(({ pid }) => pid)).toEqual(planned.map(({ pid }) => pid));
  for (const { outcome } of killed.targets ?? []) expect(outcome).toMatch(/^(exited|zombie)$/);
});

test("as text: a line; of a plan, of what is left and of what is spared a line each", async ({ root }) => {
  const top = await shell("trap '' TERM; sleep 725 & echo ready; while :; do sleep 0.05; done");
  const text = (args: object): Promise<string> => textOf(root, "linux.proc_kill", { pid: top.pid, ...args });

  expect(await text({ signal: "CONT" })).toBe(`[pid ${top.pid} · sent · SIGCONT]`);
  expect(await text({ wait_ms: 30 })).toBe(
    `[pid ${top.pid} · ignores the signal · SIGTERM]\nHint: signal: "KILL" ends it.`,
  );
  const plan = await text({ tree: true, signal: "KILL" });
  expect(plan).toMatch(
    /^\[plan: SIGKILL to \d processes · nothing was sent\]\n(\d+ .*\n)*\d+ sleep 725\n(\d+ .*\n)*Hint: Repeat the call with start_id: \d+ to do it\.$/,
  );
  const start_id = Number(/start_id: (\d+)/.exec(plan)?.[1]);
  expect(await text({ tree: true, signal: "KILL", start_id, wait_ms: 20_000 })).toMatch(
    new RegExp(`^\\[pid ${top.pid} and \\d below · all exited · SIGKILL\\]$`),
  );
});

test("what is never signalled, and what is no pid", async ({ ops }) => {
  for (const [pid, what] of [
    [1, "the first process of this machine"],
    [process.pid, "this server"],
    [process.ppid, "a parent of this server"],
  ] as const)
    await expect(ops.call("linux.proc_kill", { pid })).rejects.toMatchObject({
      code: "KILL_FORBIDDEN",
      message: `Process ${pid} is ${what} and cannot be signalled`,
      hint: undefined,
    });
  for (const pid of [0, -1, 1.5])
    await expect(ops.call("linux.proc_kill", { pid })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  await expect(ops.call("linux.proc_kill", { pid: 2 ** 22 + 5 })).rejects.toMatchObject({ code: "PROCESS_NOT_FOUND" });
  const child = await start("/bin/sleep", ["722"]);
  await expect(ops.call("linux.proc_kill", { pid: child.pid, start_id: 1 })).rejects.toMatchObject({
    code: "PROCESS_NOT_FOUND",
  });
  await expect(ops.call("linux.proc_kill", { pid: child.pid, signal: "SEGV" as never })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
  await expect(ops.call("linux.proc_kill", { pid: child.pid, wait_ms: 600_001 })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    hint: expect.stringContaining("max_timeout_sec"),
  });
  await expect(ops.call("linux.proc_kill", { pid: child.pid, signal: "STOP", escalate: true })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
  expect(child.exitCode).toBeNull();
});

test.skipIf(!isRoot)("another user's process, unless the operator opens it (needs root)", async ({ ops, root }) => {
  const child = await start("/bin/sleep", ["723"], { uid: NOBODY, gid: NOBODY });
  await expect(ops.call("linux.proc_kill", { pid: child.pid })).rejects.toMatchObject({
    code: "PERMISSION_DENIED",
    hint: expect.stringContaining("allow_kill_other_users"),
  });

  const open = opsWith(root, { linux_ops: { process_limits: { allow_kill_other_users: true } } });
  onTestFinished(() => open.close());
  expect(await open.call("linux.proc_kill", { pid: child.pid, wait_ms: 20_000 })).toMatchObject({ success: true });
});

test("a switch of its own", async ({ root }) => {
  const ops = opsWith(root, { linux_ops: { features: { kill_enabled: false } } });
  onTestFinished(() => ops.close());

  await expect(ops.call("linux.proc_kill", { pid: 2 ** 22 + 5 })).rejects.toMatchObject({
    code: "FEATURE_DISABLED",
    hint: expect.stringContaining("kill_enabled"),
  });
  expect((await ops.call("linux.proc_list", {})).total_processes).toBeGreaterThan(0);
});
