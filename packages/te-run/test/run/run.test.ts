import { createHash, randomBytes } from "node:crypto";
import { getEventListeners } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { buildEnv, run, type RunOptions } from "../../src/index.js";
import { endMarked, freshMark, marked } from "../processes.js";

const bounds = { maxBytes: 1024 * 1024, timeoutMs: 20_000 };

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "run-")));
});
afterEach(() => rmSync(dir, { recursive: true }));

const node = (script: string): [string, ...string[]] => [process.execPath, "-e", script];
const sha = (data: Uint8Array): string => createHash("sha256").update(data).digest("hex");

test("a program's output, totals and exit code are its result", async () => {
  const result = await run(["sh", "-c", "echo out; echo problem >&2; exit 3"], bounds);
  expect(result).toEqual({
    stdout: Buffer.from("out\n"),
    stderr: Buffer.from("problem\n"),
    stdoutTotal: 4,
    stderrTotal: 8,
    exitCode: 3,
    signal: null,
    ended: "exit",
    durationMs: expect.any(Number),
  });
});

test("death by a signal names the signal and has no exit code", async () => {
  const { exitCode, signal, ended } = await run(["sh", "-c", "kill -SEGV $$"], bounds);
  expect({ exitCode, signal, ended }).toEqual({ exitCode: null, signal: "SIGSEGV", ended: "exit" });
});

test("arguments reach the program as they are, because there is no shell", async () => {
  const hostile = ["$(id)", "`id`", "; id", "a b", "*", "", "-n", "\n", "ü\u{1f600}", "'\"\\"];
  const { stdout } = await run(["printf", "%s\\0", ...hostile], bounds);
  expect(stdout.toString().split("\0").slice(0, -1)).toEqual(hostile);
});

test("the working folder is the one given", async () => {
  expect((await run(["pwd", "-P"], { ...bounds, cwd: dir })).stdout.toString()).toBe(`${dir}\n`);
});

test("the environment is the built one and the mark of the run, and nothing else", async () => {
  const baseEnv = {
    LANG: "C.UTF-8",
    LD_PRELOAD: "/nowhere.so",
    NODE_OPTIONS: "--bad",
    GIT_DIR: "/tmp",
    SECRET_TOKEN: "x",
    PATH: "/evil",
  };
  const { stdout } = await run(["env", "-0"], { ...bounds, baseEnv, env: { MINE: "a\nb=c" } });
  const seen = Object.fromEntries(
    stdout
      .toString()
      .split("\0")
      .slice(0, -1)
      .map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
  );
  expect(seen).toEqual({
    PATH: buildEnv({}).PATH,
    LANG: "C.UTF-8",
    MINE: "a\nb=c",
    LLMC_RUN: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
});

test("a run inside a run carries both marks, so that ending the outer one ends the inner one", async () => {
  const { stdout } = await run(["env"], { ...bounds, baseEnv: { LLMC_RUN: "outer" }, env: { LLMC_RUN: "forged" } });
  expect(stdout.toString()).toMatch(/^LLMC_RUN=outer\.[0-9a-f]{32}$/m);
});

test("without stdin a program reads the end at once", async () => {
  const { stdout, exitCode } = await run(["cat"], bounds);
  expect({ stdout, exitCode }).toEqual({ stdout: Buffer.alloc(0), exitCode: 0 });
});

test("5 MB of stdin come through cat byte for byte", async () => {
  const data = randomBytes(5 * 1024 * 1024);
  const { stdout } = await run(["cat"], { ...bounds, stdin: data, maxBytes: data.length });
  expect(sha(stdout)).toBe(sha(data));
});

test("a program that does not read its stdin is no error", async () => {
  const { exitCode, ended } = await run(["true"], { ...bounds, stdin: Buffer.alloc(5 * 1024 * 1024) });
  expect({ exitCode, ended }).toEqual({ exitCode: 0, ended: "exit" });
});

test("nor is one that ends while its stdin is still written", async () => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield Buffer.alloc(200_000);
  }
  const { exitCode, ended } = await run(["sh", "-c", "head -c 9 >/dev/null; exit 3"], { ...bounds, stdin: endless() });
  expect([exitCode, ended]).toEqual([3, "exit"]);
});

test("10 MB of text whose characters are split anywhere between reads arrive unharmed", async () => {
  const script = `const s = "ü€😀x".repeat(1_000_003); process.stdout.write(Buffer.from(s))`;
  const { stdout, stdoutTotal } = await run(node(script), { ...bounds, maxBytes: 16 * 1024 * 1024 });
  expect(stdoutTotal).toBe(10_000_030);
  expect(sha(stdout)).toBe(sha(Buffer.from("ü€😀x".repeat(1_000_003))));
});

test("the head of the output is kept, the rest is read and counted", async () => {
  const script = `process.stdout.write("0123456789".repeat(100_000)); process.stderr.write("abc".repeat(100_000))`;
  const result = await run(node(script), { ...bounds, maxBytes: 15 });
  expect({ ...result, durationMs: 0 }).toEqual({
    stdout: Buffer.from("012345678901234"),
    stderr: Buffer.from("abcabcabcabcabc"),
    stdoutTotal: 1_000_000,
    stderrTotal: 300_000,
    exitCode: 0,
    signal: null,
    ended: "exit",
    durationMs: 0,
  });
});

test("a limit of 0 bytes keeps nothing and counts all", async () => {
  const { stdout, stdoutTotal } = await run(["echo", "four"], { ...bounds, maxBytes: 0 });
  expect({ stdout, stdoutTotal }).toEqual({ stdout: Buffer.alloc(0), stdoutTotal: 5 });
});

test("a flood does not grow us", async () => {
  const before = process.memoryUsage.rss();
  const result = await run(["yes"], { maxBytes: 64 * 1024, timeoutMs: 1_500 });
  expect(result.ended).toBe("timeout");
  expect(result.stdout.length).toBe(64 * 1024);
  expect(result.stdoutTotal).toBeGreaterThan(16 * 1024 * 1024);
  expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
});

test("a million tiny writes cost their bytes, not a buffer each", async () => {
  const script = "i=0; while [ $i -lt 20000 ]; do printf x; i=$((i+1)); done";
  const { stdout } = await run(["sh", "-c", script], bounds);
  expect(stdout.toString()).toBe("x".repeat(20_000));
});

test("stopAtMax ends a flood when the limit is reached", async () => {
  const mark = freshMark();
  const result = await run(["yes"], { ...bounds, maxBytes: 100_000, stopAtMax: true, env: mark });
  expect(result.ended).toBe("stopped");
  expect(result.stdout.toString()).toBe("y\n".repeat(50_000));
  expect(marked(mark)).toEqual([]);
});

test("stopAtMax leaves a program alone that stays below the limit", async () => {
  const { ended, exitCode } = await run(["echo", "hi"], { ...bounds, maxBytes: 4, stopAtMax: true });
  expect({ ended, exitCode }).toEqual({ ended: "exit", exitCode: 0 });
});

test("output printed before the exit is never lost, under load too", async () => {
  const lost: number[] = [];
  const next = Array.from({ length: 500 }, (_, index) => index).values();
  const worker = async (): Promise<void> => {
    for (const index of next) {
      const { stdout } = await run(["echo", `line ${index}`], bounds);
      if (stdout.toString() !== `line ${index}\n`) lost.push(index);
      // The load: the loop is blocked now and then, so that timers are late and fire before the pipes are read.
      if (index % 50 === 0) block(50);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  expect(lost).toEqual([]);
});

test("what waited in the pipe while the loop was blocked is read, though the drain's time is over", async () => {
  const mark = freshMark();
  const running = run(["sh", "-c", "head -c 150000 /dev/zero; sleep 300 &"], { ...bounds, env: mark });
  const blocker = setInterval(() => block(500), 1);
  const { stdoutTotal, ended } = await running.finally(() => clearInterval(blocker));
  endMarked(mark);
  expect({ stdoutTotal, ended }).toEqual({ stdoutTotal: 150_000, ended: "exit" });
});

test("a program that ended in time has not timed out, though the loop was blocked past its time", async () => {
  let over = false;
  // Blocked behind the poll for events, the loop comes to its timers first, and to the news of the exit afterwards.
  const blockAgain = (): void => {
    block(400);
    if (!over) setImmediate(blockAgain);
  };
  const running = run(["echo", "done"], { ...bounds, timeoutMs: 300 });
  setImmediate(blockAgain);
  const { ended, exitCode } = await running.finally(() => (over = true));
  expect({ ended, exitCode }).toEqual({ ended: "exit", exitCode: 0 });
});

function block(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("a program that is not there is an engine that is missing", async () => {
  await expect(run(["no-such-program-anywhere"], bounds)).rejects.toMatchObject({
    code: "ENGINE_UNAVAILABLE",
    message: expect.stringContaining("no-such-program-anywhere"),
    hint: expect.stringContaining("/usr/bin"),
  });
});

test("a program in the working folder is not found by its bare name", async () => {
  writeFileSync(join(dir, "tool"), "#!/bin/sh\necho taken\n", { mode: 0o755 });
  await expect(run(["tool"], { ...bounds, cwd: dir })).rejects.toMatchObject({ code: "ENGINE_UNAVAILABLE" });
});

test.each<[string, string[], Partial<RunOptions>]>([
  ["an empty name", [""], {}],
  ["no name", [], {}],
  ["a name relative to the working folder", ["./tool"], {}],
  ["a NUL in the name", ["sh\0"], {}],
  ["a NUL in an argument", ["echo", "a\0b"], {}],
  ["a NUL in the working folder", ["echo"], { cwd: "/tmp\0" }],
  ["a NUL in a variable", ["echo"], { env: { A: "\0" } }],
  ["a negative limit", ["echo"], { maxBytes: -1 }],
  ["no limit", ["echo"], { maxBytes: Number.POSITIVE_INFINITY }],
  ["no time", ["echo"], { timeoutMs: 0 }],
  ["endless time", ["echo"], { timeoutMs: Number.POSITIVE_INFINITY }],
  ["a time that setTimeout takes for 1 ms", ["echo"], { timeoutMs: 2 ** 31 }],
  ["stopAtMax where nothing is kept", ["echo"], { stopAtMax: true, onStdout: () => undefined }],
])("%s is an invalid argument", async (_, argv, options) => {
  const asked = run(argv as [string, ...string[]], { ...bounds, ...options });
  await expect(asked).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

test("a working folder that is missing, or is a file, is named instead of the program", async () => {
  await expect(run(["echo"], { ...bounds, cwd: join(dir, "none") })).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: expect.stringContaining(join(dir, "none")),
  });
  writeFileSync(join(dir, "file"), "");
  await expect(run(["echo"], { ...bounds, cwd: join(dir, "file") })).rejects.toMatchObject({ code: "NOT_A_DIRECTORY" });
});

test("arguments that are too long for the kernel are told apart from a missing program", async () => {
  await expect(run(["echo", "x".repeat(3_000_000)], bounds)).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    hint: expect.stringContaining("stdin"),
  });
});

test("a script whose interpreter is missing says what is wrong with it", async () => {
  const script = join(dir, "script");
  writeFileSync(script, "#!/no/such/interpreter\n");
  chmodSync(script, 0o755);
  await expect(run([script], bounds)).rejects.toMatchObject({
    code: "ENGINE_UNAVAILABLE",
    hint: expect.stringContaining("#!"),
  });
});

test("a failed start leaves no descriptor open", async () => {
  const start = (): Promise<unknown> => run(["echo"], { ...bounds, cwd: join(dir, "none") }).catch(() => undefined);
  await start();
  const before = readdirSync("/proc/self/fd").length;
  for (let i = 0; i < 50; i++) await start();
  expect(readdirSync("/proc/self/fd").length - before).toBeLessThan(10);
});

test("a run leaves no listener on the caller's signal", async () => {
  const { signal } = new AbortController();
  await run(["true"], { ...bounds, signal });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
