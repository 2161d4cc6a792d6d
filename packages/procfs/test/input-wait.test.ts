import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { openProcfs } from "../src/index.js";

const { processes } = openProcfs();
const hasPython = spawnSync("python3", ["-c", ""]).status === 0;
if (!hasPython) console.warn("skipped: python3 is not installed");
// The result is undefined for every process if the kernel tells nothing of system calls.
const isTold = processes.waitsForInput(process.pid) !== undefined;
if (!isTold) console.warn("skipped: the kernel does not tell what processes wait for");

/** Starts a program, and waits for its word that it begins to wait. */
async function ready(program: string, ...args: string[]): Promise<() => unknown> {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return () => processes.waitsForInput(child.pid ?? 0);
}

/** Looks a hundred times, because a wrong answer may show only for a moment. */
async function neverWaits(found: () => unknown): Promise<void> {
  for (let look = 0; look < 100; look += 1) {
    expect(found()).toEqual({ waits: "no", names: [] });
    await new Promise(setImmediate);
  }
}

const PYTHON: Readonly<Record<string, readonly [string, string]>> = {
  "reads its input": ["yes", "sys.stdin.read()"],
  "reads a copy of it": ["yes", "os.read(os.dup(0), 1)"],
  "selects it": ["yes", "select.select([0], [], [])"],
  "selects it by a high number": ["yes", "os.dup2(0, 100); select.select([100], [], [])"],
  "polls it": ["yes", "one = select.poll(); one.register(0, select.POLLIN); one.poll()"],
  "polls it and a pipe": [
    "perhaps",
    "one = select.poll(); one.register(0, select.POLLIN); one.register(os.pipe()[0], select.POLLIN); one.poll()",
  ],
  "polls a pipe": ["no", "one = select.poll(); one.register(os.pipe()[0], select.POLLIN); one.poll()"],
  "has an event loop with it": ["perhaps", "one = select.epoll(); one.register(0, select.EPOLLIN); one.poll()"],
  "has an event loop without it": [
    "no",
    "one = select.epoll(); one.register(os.pipe()[0], select.EPOLLIN); one.poll()",
  ],
  "reads it in a second thread": ["perhaps", "threading.Thread(target=lambda: os.read(0, 1)).start(); time.sleep(600)"],
  sleeps: ["no", "time.sleep(600)"],
  "reads something else": ["no", "os.read(os.pipe()[0], 1)"],
};

test.skipIf(!hasPython || !isTold).for(Object.entries(PYTHON))("a program that %s", async ([, [expected, code]]) => {
  const imports = "import os, select, sys, threading, time";
  const found = await ready("python3", "-c", `${imports}\nprint("ready", flush=True)\n${code}`);
  if (expected === "no") await neverWaits(found);
  else await expect.poll(found, { timeout: 25_000 }).toMatchObject({ waits: expected });
});

test.skipIf(!isTold)("who waits may be a child, with the same input and no other", async () => {
  const found = await ready("sh", "-c", "echo ready; cat; true");
  await expect
    .poll(found, { timeout: 25_000 })
    .toEqual({ waits: "yes", names: ["cat", expect.stringMatching(/cat|coreutils|busybox/)] });
  await neverWaits(await ready("sh", "-c", "exec 3>&1; sleep 600 | (echo ready >&3; exec cat); true"));
  expect(processes.waitsForInput(2 ** 22 + 3)).toBeUndefined();
});
