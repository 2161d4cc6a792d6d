import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { killProcess, type KillRequest } from "../src/index.js";
import { freshFolder, has, isRoot, LONG, NOBODY, said, shell, start, world } from "./programs.js";

const REQUEST: Omit<KillRequest, "pid"> = {
  signal: "TERM",
  isTree: false,
  isDryRun: false,
  waitMs: 20_000,
  escalates: false,
};

function kill(
  pid: number,
  request: Partial<KillRequest> = {},
  options: { allowOtherUsers?: boolean; uid?: number } = {},
) {
  const { procfs, view } = world(options);
  const allowOtherUsers = options.allowOtherUsers ?? false;
  return killProcess({ ...REQUEST, pid, ...request }, { procfs, view, allowOtherUsers, self: process.pid });
}

test("a process is ended, and its end is seen", async () => {
  const child = await start("/bin/sleep", ["610"]);
  const exit = once(child, "exit");

  const { targets, spared, escalated } = await kill(child.pid);

  expect(targets).toMatchObject([{ pid: child.pid, command: "/bin/sleep 610" }]);
  // Which of the two depends on how fast Node takes note of it.
  expect(["exited", "zombie"]).toContain(targets[0]?.outcome);
  expect([spared, escalated]).toEqual([[], false]);
  expect(await exit).toEqual([null, "SIGTERM"]);
});

test("one that ignores TERM is told from one that does not, and KILL follows where it is asked for", async () => {
  const deaf = await shell("trap '' TERM; echo ready; while :; do sleep 0.05; done");
  expect((await kill(deaf.pid, { waitMs: 50 })).targets[0]?.outcome).toBe("ignores the signal");

  const { targets, escalated } = await kill(deaf.pid, { waitMs: 2000, escalates: true });

  expect(escalated).toBe(true);
  expect(["exited", "zombie"]).toContain(targets[0]?.outcome);
});

test("one that handles TERM and goes on is still alive; a stopped one is stopped", async () => {
  const busy = await shell("trap 'true' TERM; echo ready; while :; do sleep 0.05; done");
  expect((await kill(busy.pid, { waitMs: 50 })).targets[0]?.outcome).toBe("still alive");

  const asleep = await start("/bin/sleep", ["611"]);
  await kill(asleep.pid, { signal: "STOP", waitMs: 0 });
  const { procfs } = world();
  await expect.poll(() => procfs.processes.lifeOf(asleep.pid)?.state, LONG).toBe("T");
  expect((await kill(asleep.pid, { waitMs: 50 })).targets[0]?.outcome).toBe("stopped");
});

test.skipIf(!has("python3"))(
  "one that hangs in the kernel is uninterruptible, until what it waits for comes",
  async () => {
    const pipe = join(freshFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    // A parent of vfork waits in the kernel until its child has become a program, and this child opens a pipe before that.
    const script = `
import os, sys
print("ready", flush=True)
os.posix_spawn("/bin/true", ["true"], {}, file_actions=[(os.POSIX_SPAWN_OPEN, 0, sys.argv[1], os.O_RDONLY, 0)])
`;
    const hung = await start("python3", ["-c", script, pipe]);
    await said(hung);
    const { procfs } = world();
    await expect.poll(() => procfs.processes.lifeOf(hung.pid)?.state, LONG).toBe("D");

    expect((await kill(hung.pid, { waitMs: 50 })).targets[0]?.outcome).toBe("uninterruptible");

    const exit = once(hung, "exit");
    closeSync(openSync(pipe, "w"));
    // The signal was kept for it.
    expect(await exit).toEqual([null, "SIGTERM"]);
  },
);

test.skipIf(!has("python3"))("one whose main thread has ended lives on in the others, and is no zombie", async () => {
  const script = `
import ctypes, platform, signal, subprocess, threading, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
def others():
    child = subprocess.Popen(["sleep", "621"])
    time.sleep(0.1)
    print("ready", flush=True)
    child.wait()
    time.sleep(300)
threading.Thread(target=others).start()
ctypes.CDLL(None).syscall(93 if platform.machine() == "aarch64" else 60, 0)
`;
  const headless = await start("python3", ["-c", script]);
  await said(headless);
  const { procfs } = world();
  await expect.poll(() => procfs.processes.lifeOf(headless.pid)?.state, LONG).toBe("Z");

  expect((await kill(headless.pid, { waitMs: 50 })).targets[0]?.outcome).toBe("ignores the signal");
  // The children of a parent that looks dead are still its own.
  const { targets, escalated } = await kill(headless.pid, { isTree: true, waitMs: 2000, escalates: true });
  expect(targets.map(({ command }) => command)).toContain("sleep 621");
  expect(escalated).toBe(true);
  for (const { outcome } of targets) expect(outcome).toMatch(/exited|zombie/);
});

test("a signal that ends nothing, and one that is not waited for, have no outcome", async () => {
  const child = await start("/bin/sleep", ["612"]);

  expect((await kill(child.pid, { signal: "CONT" })).targets[0]).not.toHaveProperty("outcome");
  expect((await kill(child.pid, { waitMs: 0 })).targets[0]).not.toHaveProperty("outcome");
});

test("a tree: a plan that touches nothing, then all of it", async () => {
  const top = await shell("(trap '' TERM; sleep 613 & sleep 614 & echo ready; wait) & wait");
  const { procfs } = world();

  const planned = () => kill(top.pid, { isTree: true, isDryRun: true });
  await expect
    .poll(async () => (await planned()).targets.map(({ command }) => command), LONG)
    .toEqual(expect.arrayContaining(["sleep 613", "sleep 614"]));
  const plan = await planned();
  expect(plan.targets[0]?.pid).toBe(top.pid);
  for (const { pid } of plan.targets) expect(procfs.processes.lifeOf(pid)).toBeDefined();

  const done = await kill(top.pid, { isTree: true, waitMs: 2000, escalates: true });
  expect(new Set(done.targets.map(({ pid }) => pid))).toEqual(new Set(plan.targets.map(({ pid }) => pid)));
  for (const { outcome } of done.targets) expect(["exited", "zombie"]).toContain(outcome);
});

test("children that are born while their parent is ended are ended with it", async () => {
  const top = await shell("trap 'sleep 615 & echo born' TERM; sleep 616 & echo ready; while :; do sleep 0.05; done");
  const born = said(top);
  await expect
    .poll(
      async () => (await kill(top.pid, { isTree: true, isDryRun: true })).targets.map(({ command }) => command),
      LONG,
    )
    .toContain("sleep 616");

  const { targets } = await kill(top.pid, { isTree: true, waitMs: 0 });
  await born;
  const rest = await kill(top.pid, { isTree: true, signal: "KILL" });

  expect(targets.map(({ command }) => command)).toContain("sleep 616");
  for (const { outcome } of rest.targets) expect(["exited", "zombie"]).toContain(outcome);
});

test("what is never signalled", async () => {
  await expect(kill(1)).rejects.toMatchObject({
    code: "KILL_FORBIDDEN",
    message: expect.stringContaining("first process"),
  });
  await expect(kill(process.pid)).rejects.toMatchObject({
    code: "KILL_FORBIDDEN",
    message: expect.stringContaining("this server"),
  });
  await expect(kill(process.ppid)).rejects.toMatchObject({ code: "KILL_FORBIDDEN" });
  for (const pid of [0, -1, 1.5, Number.NaN])
    await expect(kill(pid)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  await expect(kill(2 ** 22 + 7)).rejects.toMatchObject({ code: "PROCESS_NOT_FOUND" });
});

test("a thread of ours is no process: its signal would end the server", async () => {
  const thread =
    readdirSync(`/proc/${process.pid}/task`)
      .map(Number)
      .find((tid) => tid !== process.pid) ?? 0;

  await expect(kill(thread)).rejects.toMatchObject({
    code: "PROCESS_NOT_FOUND",
    remedy: { id: "pid-of-thread", pid: expect.any(Number) },
  });
});

test("a pid that was given again is not signalled", async () => {
  const child = await start("/bin/sleep", ["617"]);
  const { startTicks } = (await kill(child.pid, { isDryRun: true })).targets[0]!;

  await expect(kill(child.pid, { startTicks: startTicks - 1 })).rejects.toMatchObject({ code: "PROCESS_NOT_FOUND" });
  expect(child.exitCode).toBeNull();
  expect((await kill(child.pid, { startTicks })).targets).toHaveLength(1);
});

test.skipIf(!isRoot)("another user's process is left alone unless the operator opens it (needs root)", async () => {
  const child = await start("/bin/sleep", ["618"], { uid: NOBODY, gid: NOBODY });

  await expect(kill(child.pid)).rejects.toMatchObject({
    code: "PERMISSION_DENIED",
    remedy: { id: "signal-other-users" },
  });
  expect((await kill(child.pid, {}, { allowOtherUsers: true })).targets).toHaveLength(1);
});

test.skipIf(!isRoot)("in a tree another user's process is spared, and said (needs root)", async () => {
  const top = await start(process.execPath, [
    "-e",
    `const child = require("node:child_process").spawn("/bin/sleep", ["619"], { uid: ${NOBODY} });
     child.on("spawn", () => console.log(child.pid)); process.stdin.resume();`,
  ]);
  const other = Number(await said(top));
  onTestFinished(() => void process.kill(other, "SIGKILL"));

  const { targets, spared } = await kill(top.pid, { isTree: true });

  expect(targets.map(({ pid }) => pid)).toEqual([top.pid]);
  expect(spared).toEqual([{ pid: other, reason: expect.stringContaining("belongs to") }]);
});

test("a cancelled wait ends at once with what is known", async () => {
  const deaf = await shell("trap '' TERM; echo ready; while :; do sleep 0.05; done");
  const cancel = new AbortController();
  const killing = kill(deaf.pid, { cancel: cancel.signal, escalates: true });
  cancel.abort();

  const { targets, escalated } = await killing;

  expect([targets[0]?.outcome, escalated]).toEqual(["ignores the signal", false]);
});
