import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { LinuxOps } from "../../../src/index.js";
import { opsWith, test, textOf } from "../../helpers.js";

const hasBubblewrap =
  spawnSync("bwrap", ["--unshare-user", "--ro-bind", "/", "/", "true"], { stdio: "ignore" }).status === 0;
if (!hasBubblewrap) console.warn("skipped: bubblewrap makes no sandbox here");

/** Generous: an answer comes when it is there. */
const LONG = 20_000;
const OFF = { commands: { sandbox: "off", allow_unsafe: true } } as const;

function bare(root: string, more: object = {}): LinuxOps {
  const ops = opsWith(root, { linux_ops: { ...OFF, ...more } });
  onTestFinished(() => ops.close());
  return ops;
}

const PLACES = [
  ["pipes", "off", false],
  ["a terminal", "off", true],
  ...(hasBubblewrap
    ? ([
        ["pipes", "auto", false],
        ["a terminal", "auto", true],
      ] as const)
    : []),
] as const;

test.for(PLACES)("a Python REPL on %s, sandbox %s: each step is one call", async ([, sandbox, pty], { root }) => {
  const ops = opsWith(root, { linux_ops: { commands: { sandbox, allow_unsafe: true } } });
  onTestFinished(() => ops.close());

  const started = await ops.call("linux.proc_start", { command: "python3 -i", pty, wait_ms: LONG });
  expect(started).toMatchObject({ state: "running", why: "prompt", first_output: expect.stringMatching(/>>> $/) });
  expect(started.sandbox === "off").toBe(sandbox === "off");
  // Of the program itself, on this machine: neither the box's nor the terminal's.
  expect(readFileSync(`/proc/${started.pid}/cmdline`, "latin1")).toMatch(/^(\S*\/)?python3\0-i\0$/);
  const { proc_id } = started;

  const lines = [
    "def area(sides):",
    ...Array.from({ length: 18 }, (_, at) => `    s${at} = sides * ${at}`),
    "    return s17",
    "",
  ];
  const answered = await ops.call("linux.proc_send", {
    proc_id,
    input: `${lines.join("\n")}\nprint(area(2))`,
    wait_ms: LONG,
  });
  expect(answered).toMatchObject({ acknowledged: true, why: "prompt", output: expect.stringMatching(/\n?34\n>>> $/) });

  // Interrupted before it has begun, it would begin behind the interrupt.
  const endless = `exec("print('be' + 'gun', flush=True)\\nwhile True: pass")`;
  const looping = await ops.call("linux.proc_send", { proc_id, input: endless, wait_for: "begun", wait_ms: LONG });
  expect(looping).toMatchObject({ state: "running", why: "matched" });
  const stopped = await ops.call("linux.proc_send", { proc_id, key: "ctrl-c", wait_ms: LONG });
  expect(stopped).toMatchObject({ why: "prompt", output: expect.stringContaining("KeyboardInterrupt") });
  expect(await ops.call("linux.proc_send", { proc_id, input: "1 + 1", wait_ms: LONG })).toMatchObject({
    output: "2\n>>> ",
  });

  const { processes } = await ops.call("linux.proc_sessions", {});
  expect(processes).toMatchObject([
    { proc_id, pid: started.pid, command: "python3 -i", cwd: root, state: "running", unread_bytes: 0 },
  ]);
  expect(await ops.call("linux.proc_stop", { proc_id })).toMatchObject({
    stopped: true,
    state: "exited",
    exit_code: 143,
    signal: "SIGTERM",
  });
  expect(await ops.call("linux.proc_read", { proc_id })).toEqual({
    output: "",
    state: "exited",
    exit_code: 143,
    signal: "SIGTERM",
  });
});

test("the seed's way: send is acknowledged, read has the answer, once", async ({ root }) => {
  const ops = bare(root);
  const { proc_id } = await ops.call("linux.proc_start", { command: "cat", wait_ms: 0 });

  expect(await ops.call("linux.proc_send", { proc_id, input: "hello" })).toMatchObject({ acknowledged: true });
  const read = await ops.call("linux.proc_read", { proc_id, timeout_ms: LONG });
  expect(read).toMatchObject({ output: "hello\n", state: "running", next: 6 });
  expect(await ops.call("linux.proc_read", { proc_id, timeout_ms: 30 })).toMatchObject({ output: "", why: "timeout" });
  expect(await ops.call("linux.proc_read", { proc_id, since: 0 })).toMatchObject({ output: "hello\n" });
});

test("a program that ends at once, one that is not there, one that may not run", async ({ root }) => {
  const ops = bare(root);

  expect(await ops.call("linux.proc_start", { command: "sh -c 'echo over; exit 3'", wait_ms: LONG })).toMatchObject({
    state: "exited",
    why: "exit",
    first_output: "over\n",
    exit_code: 3,
  });
  expect(await ops.call("linux.proc_start", { command: "no-such-program-anywhere" })).toMatchObject({
    state: "exited",
    exit_code: 127,
    first_output: expect.stringContaining("command not found"),
  });
  expect(await ops.call("linux.proc_start", { command: "pythn3 -i" })).toMatchObject({
    proc_id: "",
    exit_code: 127,
    first_output: "pythn3: command not found (did you mean python3?)\n",
  });
  await expect(ops.call("linux.proc_start", { command: "su root" })).rejects.toMatchObject({
    code: "COMMAND_NOT_ALLOWED",
  });
  await expect(ops.call("linux.proc_start", { command: "ls", cwd: "/etc" })).rejects.toMatchObject({
    code: "INVALID_PATH",
  });
  await expect(ops.call("linux.proc_start", { command: "ls", wait_ms: 600_001 })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
});

test("folder and environment of the call", async ({ root }) => {
  const ops = bare(root);
  writeFileSync(join(root, "here"), "");

  const { first_output } = await ops.call("linux.proc_start", {
    command: "sh -c 'ls; echo $COLOUR'",
    env: { COLOUR: "green" },
    wait_ms: LONG,
  });

  expect(first_output).toBe("here\ngreen\n");
  const inTerminal = { command: "sh -c 'echo $TERM'", pty: true, wait_ms: LONG, wait_for: "never" };
  expect((await ops.call("linux.proc_start", inTerminal)).first_output).toBe("xterm-256color\n");
});

test("a long output comes in pieces, each of them told apart in the text", async ({ root }) => {
  const ops = bare(root);
  const { proc_id, first_output, unread_bytes } = await ops.call("linux.proc_start", {
    command: "seq 1 100000",
    wait_ms: LONG,
    wait_for: "never",
  });

  let told = first_output;
  let left = unread_bytes;
  while (left !== undefined) {
    const piece = await ops.call("linux.proc_read", { proc_id });
    told += piece.output;
    left = piece.unread_bytes;
  }
  expect(told).toBe(Array.from({ length: 100_000 }, (_, at) => `${at + 1}\n`).join(""));
  expect((await ops.call("linux.proc_read", { proc_id, since: -7 })).output).toBe("100000\n");
});

test("of a flood the next piece is there at once, however long one would wait", async ({ root }) => {
  const ops = bare(root);
  const { proc_id } = await ops.call("linux.proc_start", { command: "sh -c 'exec yes'", wait_ms: LONG, wait_for: "y" });
  const read = { proc_id, max_bytes: 20, timeout_ms: LONG };
  await ops.call("linux.proc_read", { ...read, timeout_ms: 500 });

  const pieces = await Promise.all([read, read, read].map((each) => ops.call("linux.proc_read", each)));

  for (const piece of pieces) expect(piece).toMatchObject({ output: "y\n".repeat(10), state: "running" });
  for (const piece of pieces) expect(piece).not.toHaveProperty("why");
});

test("as text: a line of facts, then the output", async ({ root }) => {
  const text = await textOf(root, "linux.proc_start", { command: "echo hi", wait_ms: LONG }, { linux_ops: OFF });
  expect(text).toMatch(/^\[p_\w{6} · (pid \d+ · )?exited 0 · no sandbox\]\nhi\n$/);
  expect(await textOf(root, "linux.proc_read", { proc_id: "p_nobody" })).toBe(
    "[This session has no process p_nobody · linux_proc_sessions lists its own]",
  );
});

test("a full screen, keys, and a new size", async ({ root }) => {
  const ops = bare(root);
  const { proc_id } = await ops.call("linux.proc_start", {
    command: "bash --norc -i",
    pty: true,
    cols: 60,
    rows: 10,
    wait_ms: LONG,
  });
  await ops.call("linux.proc_send", { proc_id, input: "clear; printf 'top\\033[5;10Hmiddle\\n'", wait_ms: LONG });

  const { output, cursor } = await ops.call("linux.proc_read", { proc_id, screen: true, timeout_ms: 50 });

  expect(output.split("\n").slice(0, 5)).toEqual(["top", "", "", "", "         middle"]);
  expect(cursor?.row).toBe(6);
  await ops.call("linux.proc_send", { proc_id, cols: 70, rows: 12 });
  expect(
    (await ops.call("linux.proc_send", { proc_id, input: "stty size", wait_ms: LONG, wait_for: "12 70" })).why,
  ).toBe("matched");
  await expect(ops.call("linux.proc_send", { proc_id, key: "hyper-x" })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
});

test("limits, switches, and others' ids", async ({ root }) => {
  const ops = bare(root, { process_limits: { max_procs_per_session: 1 } });
  const { proc_id } = await ops.call("linux.proc_start", { command: "cat", wait_ms: 0 });
  await expect(ops.call("linux.proc_start", { command: "cat" })).rejects.toMatchObject({ code: "PROC_LIMIT" });
  await expect(ops.call("linux.proc_send", { proc_id, input: "x" }, { session: "other" })).rejects.toMatchObject({
    code: "PROCESS_NOT_FOUND",
  });
  await expect(ops.call("linux.proc_stop", { proc_id: "p_nobody" })).rejects.toMatchObject({
    code: "PROCESS_NOT_FOUND",
  });
  expect(await ops.call("linux.proc_read", { proc_id }, { session: "other" })).toEqual({
    output: "",
    state: "no_such_process",
  });
  expect(await ops.call("linux.proc_sessions", {}, { session: "other" })).toEqual({ processes: [] });
  expect(await ops.call("linux.proc_start", { command: "true", wait_ms: LONG }, { session: "other" })).toMatchObject({
    exit_code: 0,
  });

  const closed = bare(root, { features: { repl_enabled: false } });
  for (const [name, args] of [
    ["linux.proc_start", { command: "cat" }],
    ["linux.proc_send", { proc_id }],
    ["linux.proc_read", { proc_id }],
    ["linux.proc_stop", { proc_id }],
    ["linux.proc_sessions", {}],
  ] as const)
    await expect(closed.call(name, args as never)).rejects.toMatchObject({ code: "FEATURE_DISABLED" });
});

test("a cancelled start leaves nothing behind", async ({ root }) => {
  const ops = bare(root);
  const cancel = new AbortController();
  const starting = ops.call("linux.proc_start", { command: "sleep 600", wait_ms: LONG }, { signal: cancel.signal });
  await expect
    .poll(async () => (await ops.call("linux.proc_sessions", {})).processes.length, { timeout: LONG })
    .toBe(1);
  cancel.abort();

  await expect(starting).rejects.toMatchObject({ code: "CANCELLED" });
  await expect.poll(async () => (await ops.call("linux.proc_sessions", {})).processes, { timeout: LONG }).toEqual([]);
});

test("what a program changes while a call waits for it is the session's own doing", async ({ root }) => {
  const ops = bare(root);
  const path = join(root, "f");
  const { proc_id } = await ops.call("linux.proc_start", { command: "python3 -i", wait_ms: LONG });
  await ops.call("linux.fs_write", { path, content: "one\n" });
  const input = `print(open("f", "w").write("from python"))`;
  await ops.call("linux.proc_send", { proc_id, input, wait_for: "11", wait_ms: LONG });
  await ops.call("linux.proc_send", { proc_id, input: "1", wait_ms: LONG });
  expect(await ops.call("linux.fs_write", { path, content: "two\n" })).toMatchObject({ bytes_written: 4 });
});
