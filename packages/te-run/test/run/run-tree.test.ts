import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { run, type RunOptions } from "../../src/index.js";
import { endMarked, freshMark, marked, named } from "../processes.js";

const dir = mkdtempSync(join(tmpdir(), "run-tree-"));
afterAll(() => rmSync(dir, { recursive: true }));

const bounds = { maxBytes: 1024 * 1024, timeoutMs: 20_000 };
const node = (script: string): [string, ...string[]] => [process.execPath, "-e", script];

function has(program: string): boolean {
  const there = spawnSync(program, ["--version"]).error === undefined;
  if (!there) process.stderr.write(`skipped: ${program} is not installed\n`);
  return there;
}

/** Runs until the program has printed "ready", then cancels. */
async function cancelWhenReady(argv: [string, ...string[]], options: Partial<RunOptions> = {}) {
  const stop = new AbortController();
  let text = "";
  const onStdout = (chunk: Buffer): void => {
    text += chunk.toString();
    if (text.includes("ready")) stop.abort();
  };
  return run(argv, { ...bounds, ...options, signal: stop.signal, onStdout });
}

test("a timeout ends a program that ignores SIGTERM, and keeps what it printed", async () => {
  const mark = freshMark();
  const script = `process.on("SIGTERM", () => console.log("no")); console.log("ready"); setInterval(() => {}, 1e6)`;
  const result = await run(node(script), { ...bounds, timeoutMs: 1_500, env: mark });
  expect({ ...result, durationMs: 0 }).toEqual({
    stdout: Buffer.from("ready\nno\n"),
    stderr: Buffer.alloc(0),
    stdoutTotal: 9,
    stderrTotal: 0,
    exitCode: null,
    signal: "SIGKILL",
    ended: "timeout",
    durationMs: 0,
  });
  expect(marked(mark)).toEqual([]);
});

test("a program that ends itself on SIGTERM may, and its exit code is told", async () => {
  const script = `process.on("SIGTERM", () => { console.log("bye"); process.exit(7) }); console.log("ready"); setInterval(() => {}, 1e6)`;
  const { exitCode, signal, ended, stdoutTotal } = await cancelWhenReady(node(script));
  expect({ exitCode, signal, ended, stdoutTotal }).toEqual({
    exitCode: 7,
    signal: null,
    ended: "cancelled",
    stdoutTotal: "ready\nbye\n".length,
  });
});

test("a cancel ends children and grandchildren of the group, those that ignore SIGTERM included", async () => {
  const mark = freshMark();
  const script = `sh -c 'trap "" TERM; sleep 300 & sleep 300' & sleep 300 & echo ready; wait`;
  const { ended } = await cancelWhenReady(["sh", "-c", script], { env: mark });
  expect({ ended, left: marked(mark) }).toEqual({ ended: "cancelled", left: [] });
});

test("a cancel ends a stopped process", async () => {
  const mark = freshMark();
  await cancelWhenReady(["sh", "-c", "sleep 300 & kill -STOP $!; echo ready; wait"], { env: mark });
  expect(marked(mark)).toEqual([]);
});

test("a cancel ends what left the group by setsid", async () => {
  const mark = freshMark();
  const escape = `
    const { spawn } = require("node:child_process");
    const child = spawn("sh", ["-c", "trap '' TERM HUP; echo ready; while :; do sleep 300; done"], { detached: true, stdio: "inherit" });
    setInterval(() => {}, 1e6);`;
  await cancelWhenReady(node(escape), { env: mark });
  expect(marked(mark)).toEqual([]);
});

test.runIf(has("python3"))("a timeout ends a daemon that forked twice and whose parents are gone", async () => {
  const mark = freshMark();
  const daemon = `
import os, signal, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        null = os.open("/dev/null", os.O_RDWR)
        for fd in (0, 1, 2): os.dup2(null, fd)
        open(sys.argv[1], "w").write(str(os.getpid()))
        time.sleep(300)
    os._exit(0)
os.wait()
time.sleep(300)
`;
  const pidFile = join(dir, "daemon");
  const stop = new AbortController();
  const running = run(["python3", "-c", daemon, pidFile], { ...bounds, signal: stop.signal, env: mark });
  await expect.poll(() => pidIn(pidFile), { timeout: 15_000 }).toBeGreaterThan(1);
  expect(marked(mark)).toHaveLength(2);
  stop.abort();
  expect((await running).ended).toBe("cancelled");
  expect(marked(mark)).toEqual([]);
});

test.runIf(has("python3"))("a process whose main thread has ended is not taken for dead", async () => {
  // The system call ends the one thread; /proc shows the process as a zombie from then on.
  const script = `
import ctypes, os, platform, signal, sys, threading, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
threading.Thread(target=lambda: (time.sleep(0.2), open(sys.argv[1], "w").write(str(os.getpid())), time.sleep(300))).start()
ctypes.CDLL(None).syscall(93 if platform.machine() == "aarch64" else 60, 0)
`;
  const pidFile = join(dir, "threads");
  const stop = new AbortController();
  const running = run(["python3", "-c", script, pidFile], { ...bounds, signal: stop.signal });
  await expect.poll(() => pidIn(pidFile), { timeout: 15_000 }).toBeGreaterThan(1);
  expect(readFileSync(`/proc/${pidIn(pidFile)}/stat`, "latin1")).toContain(") Z ");
  stop.abort();
  const { ended, signal } = await running;
  expect({ ended, signal }).toEqual({ ended: "cancelled", signal: "SIGKILL" });
});

function pidIn(file: string): number {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return 0;
  }
}

test("a cancel ends a child that wiped its environment and left the session, while its parent lives", async () => {
  const name = randomUUID();
  const loop = `trap '' TERM; while :; do sleep 300; done # ${name}`;
  const escape = `
    const { spawn } = require("node:child_process");
    spawn("/bin/sh", ["-c", ${JSON.stringify(`echo ready; ${loop}`)}], { detached: true, env: {}, stdio: "inherit" });
    setInterval(() => {}, 1e6);`;
  await cancelWhenReady(node(escape));
  expect(named(name)).toEqual([]);
});

test("a cancel ends a child that wiped its environment and lost its parent, but stayed in the session", async () => {
  const name = randomUUID();
  const loop = `trap "" TERM; echo ready; while :; do sleep 300; done # ${name}`;
  await cancelWhenReady(["sh", "-c", `(env -i /bin/sh -c '${loop}' &); sleep 300`]);
  expect(named(name)).toEqual([]);
});

test("a cancel ends what forks all the time", async () => {
  const mark = freshMark();
  const bomb = `trap '' TERM; echo ready; while :; do sleep 0.01 & sleep 0.02; done`;
  await cancelWhenReady(["sh", "-c", bomb], { env: mark });
  expect(marked(mark)).toEqual([]);
});

test("processes of others, of the same program and the same server, live on", async () => {
  const mark = freshMark();
  const stop = new AbortController();
  const neighbour = run(["sleep", "300"], { ...bounds, signal: stop.signal, env: mark });
  await cancelWhenReady(["sh", "-c", "sleep 300 & echo ready; wait"]);
  expect(marked(mark)).toHaveLength(1);
  stop.abort();
  expect((await neighbour).ended).toBe("cancelled");
});

test("a grandchild that holds the pipe open does not hang the call", async () => {
  const mark = freshMark();
  const { stdout, exitCode, ended } = await run(["sh", "-c", "echo out; sleep 300 & exit 5"], { ...bounds, env: mark });
  expect({ stdout, exitCode, ended }).toEqual({ stdout: Buffer.from("out\n"), exitCode: 5, ended: "exit" });
  endMarked(mark);
});

test("a grandchild in a session of its own that floods the pipe does not hang the call", async () => {
  const mark = freshMark();
  const escape = `require("node:child_process").spawn("yes", { detached: true, stdio: "inherit" }); process.exit(0)`;
  // A taker that is slower than the flood never finds the pipe empty.
  const onStdout = (): Promise<void> => sleep(2);
  const { exitCode, ended } = await run(node(escape), { ...bounds, env: mark, onStdout });
  expect({ exitCode, ended }).toEqual({ exitCode: 0, ended: "exit" });
  endMarked(mark);
});

test("a signal that is already aborted starts nothing", async () => {
  const file = join(dir, "started");
  const result = await run(["touch", file], { ...bounds, signal: AbortSignal.abort() });
  expect({ ...result, durationMs: 0 }).toEqual({
    stdout: Buffer.alloc(0),
    stderr: Buffer.alloc(0),
    stdoutTotal: 0,
    stderrTotal: 0,
    exitCode: null,
    signal: null,
    ended: "cancelled",
    durationMs: 0,
  });
  expect(() => readFileSync(file)).toThrow("ENOENT");
});

test("a cancel at any moment of the start ends the run and leaves nothing", async () => {
  const mark = freshMark();
  const ended = await Promise.all(
    Array.from({ length: 12 }, async (_, turns) => {
      const stop = new AbortController();
      const running = run(["sleep", "300"], { ...bounds, signal: stop.signal, env: mark });
      for (let i = 0; i < turns; i++) await new Promise(setImmediate);
      stop.abort();
      return (await running).ended;
    }),
  );
  expect(new Set(ended)).toEqual(new Set(["cancelled"]));
  expect(marked(mark)).toEqual([]);
});

test("a crowd is ended as a whole", async () => {
  const mark = freshMark();
  const crowd = "i=0; while [ $i -lt 300 ]; do sleep 300 & i=$((i+1)); done; echo ready; wait";
  await cancelWhenReady(["sh", "-c", crowd], { env: mark });
  expect(marked(mark)).toEqual([]);
});
