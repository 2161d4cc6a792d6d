import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { settingsOf } from "@llmc/config";
import type { Entry } from "@llmc/toolkit";
import { expect, onTestFinished } from "vitest";
import { openServices, VERSION } from "../../../src/index.js";
import { opsWith, test } from "../../helpers.js";
import { start } from "./programs.js";

/** Generous, because an answer comes as soon as it is ready. */
const LONG = 20_000;
const OFF = {
  linux_ops: { commands: { sandbox: "off", allow_unsafe: true }, process_limits: { max_procs_per_session: 8 } },
} as const;

/** Opens a session of an entry; each call returns the text for a model and the payload for a program. */
function sessionOf(root: string, entry: Entry) {
  const services = openServices({ settings: settingsOf({ roots: [root], mcp: OFF }), version: VERSION, log: null });
  onTestFinished(() => services.close());
  const session = { id: "s", agentId: "a", model: "m", token: "t", owner: "o" };
  return async (name: string, args: object): Promise<{ text: string; data: Readonly<Record<string, unknown>> }> => {
    const answer = await services.dispatcher.call(`linux.${name}`, args, { session, entry });
    return { text: answer.text(), data: answer.payload };
  };
}

test("a time that was named is waited for, whatever pauses the program makes", async ({ root }) => {
  const ops = opsWith(root, OFF);
  onTestFinished(() => ops.close());
  const command = "sh -c 'for i in 1 2 3 4; do echo step $i; sleep 0.6; done; echo built'";
  const { proc_id, first_output } = await ops.call("linux.proc_start", { command });
  expect(first_output).toBe("step 1\n");

  const read = await ops.call("linux.proc_read", { proc_id, timeout_ms: LONG });

  expect(read).toMatchObject({
    output: "step 2\nstep 3\nstep 4\nbuilt\n",
    state: "exited",
    why: "exit",
    exit_code: 0,
  });
});

test("of a build that prints very much, the end is waited for and told in one call", async ({ root }) => {
  const ops = opsWith(root, OFF);
  onTestFinished(() => ops.close());
  const command = "sh -c 'echo begun; seq 1 50000; sleep 0.8; seq 1 50000; echo built'";
  const { proc_id } = await ops.call("linux.proc_start", { command, wait_for: "begun" });

  const read = await ops.call("linux.proc_read", { proc_id, timeout_ms: LONG, since: -12 });

  expect(read).toMatchObject({ output: "50000\nbuilt\n", why: "exit" });
});

test("what a cancelled read would have told is told by the next one", async ({ root }) => {
  const ops = opsWith(root, OFF);
  onTestFinished(() => ops.close());
  const command = "sh -c 'echo begun; sleep 0.4; echo one; echo two; exec sleep 600'";
  const { proc_id } = await ops.call("linux.proc_start", { command, wait_for: "begun" });
  const cancel = new AbortController();
  const cancelled = ops.call("linux.proc_read", { proc_id, timeout_ms: LONG }, { signal: cancel.signal });
  cancelled.catch(() => {});
  await expect
    .poll(async () => (await ops.call("linux.proc_sessions", {})).processes[0]?.unread_bytes, { timeout: LONG })
    .toBe(8);
  cancel.abort();

  await expect(cancelled).rejects.toMatchObject({ code: "CANCELLED" });
  expect(await ops.call("linux.proc_read", { proc_id })).toMatchObject({ output: "one\ntwo\n" });
});

test("what a cancelled look at a screen would have shown is unread", async ({ root }) => {
  const ops = opsWith(root, OFF);
  onTestFinished(() => ops.close());
  const { proc_id } = await ops.call("linux.proc_start", { command: "cat", pty: true, wait_ms: 0 });
  await ops.call("linux.proc_send", { proc_id, input: "hello", wait_ms: LONG, wait_for: "/hello\\n.*hello/s" });
  const { next } = await ops.call("linux.proc_read", { proc_id, timeout_ms: 0 });
  await ops.call("linux.proc_send", { proc_id, input: "again", wait_ms: 0 });
  await expect
    .poll(async () => (await ops.call("linux.proc_sessions", {})).processes[0]?.unread_bytes, { timeout: LONG })
    .toBeGreaterThan(10);
  const cancel = new AbortController();
  const screen = ops.call("linux.proc_read", { proc_id, screen: true, timeout_ms: LONG }, { signal: cancel.signal });
  screen.catch(() => {});
  cancel.abort();

  await expect(screen).rejects.toMatchObject({ code: "CANCELLED" });
  expect((await ops.call("linux.proc_read", { proc_id })).output).toContain("again");
  expect(next).toBeGreaterThan(0);
});

const ENTRIES = ["stdio", "http", "rest", "library"] as const;

test.for(ENTRIES)(
  "%s: what a line is answered without a time, and that no byte is told twice",
  async (entry, { root }) => {
    const call = sessionOf(root, entry);
    const isModel = entry === "stdio" || entry === "http";
    const { proc_id } = (await call("proc_start", { command: "python3 -i", wait_ms: LONG })).data;

    const slow = "import time; time.sleep(0.5); print(6 * 7)";
    const sent = await call("proc_send", { proc_id, input: slow });
    expect(sent.data).toMatchObject({ acknowledged: true, state: "running" });
    expect(sent.data["output"]).toBe(isModel ? "42\n>>> " : undefined);
    expect(sent.text).toBe(
      isModel ? `[${String(proc_id)} · prompt]\n42\n>>> ` : `[${String(proc_id)} · sent · running]`,
    );
    const only = await call("proc_send", { proc_id, input: "7 * 8", wait_ms: 0 });
    expect(only.data).toEqual({ acknowledged: true, state: "running" });
    const read = await call("proc_read", { proc_id, timeout_ms: LONG });
    expect(String(read.data["output"])).toMatch(isModel ? /^56\n>>> $/ : /^42\n>>> (56\n>>> )?$/);
  },
);

test("one that has ended is told so by every call, also when it was stopped before", async ({ root }) => {
  const call = sessionOf(root, "stdio");
  const { data } = await call("proc_start", { command: "sh -c 'echo over; exit 3'", wait_ms: LONG });
  const id = String(data["proc_id"]);
  const ended = `[${id} has already ended (exit 3)]`;

  expect((await call("proc_read", { proc_id: id })).text).toBe(ended);
  const sent = await call("proc_send", { proc_id: id, input: "x" });
  expect(sent.text).toBe(`[${id} has already ended (exit 3) · not sent]\n`);
  expect(sent.data).toMatchObject({ acknowledged: false, state: "exited", exit_code: 3 });
  const stopped = await call("proc_stop", { proc_id: id });
  expect([stopped.text, stopped.data["stopped"]]).toEqual([ended, true]);
  expect((await call("proc_read", { proc_id: id })).text).toBe(ended);
  expect((await call("proc_send", { proc_id: id, input: "x" })).text).toBe(
    `[${id} has already ended (exit 3) · not sent]`,
  );
  expect((await call("proc_stop", { proc_id: id })).data).toEqual({
    stopped: true,
    state: "exited",
    exit_code: 3,
    signal: null,
    output: "",
    had_ended: true,
  });

  const killed = String((await call("proc_start", { command: "sleep 600", wait_ms: 0 })).data["proc_id"]);
  expect((await call("proc_stop", { proc_id: killed })).text).toBe(`[${killed} · exited 143 (SIGTERM)]`);
  expect((await call("proc_read", { proc_id: killed })).text).toBe(`[${killed} has already ended (exit 143, SIGTERM)]`);
});

test("an interpreter that reads its program and says nothing is told how to show a prompt", async ({ root }) => {
  const call = sessionOf(root, "stdio");
  const first = async (args: object): Promise<string> => (await call("proc_start", args)).text.split("\n")[0] ?? "";

  for (const command of ["python3", "bash --norc", "node"])
    expect(await first({ command })).toMatch(
      new RegExp(
        `^\\[p_\\w{6} · pid \\d+ · (waits for input|still running) · no sandbox · shows no prompt: start ${command} -i, or pty: true\\]$`,
      ),
    );
  expect(await first({ command: "cat" })).toMatch(/^\[p_\w{6} · pid \d+ · waits for input · no sandbox\]$/);
  expect(await first({ command: "sh -c 'read line'" })).toMatch(/waits for input · no sandbox\]$/);
});

test("the answers' lines stay short", async ({ root }) => {
  const call = sessionOf(root, "stdio");
  const cost = ({ text }: { text: string }): number => countTokens(text);
  const child = await start("/bin/sleep", ["724"]);

  const killed = await call("proc_kill", { pid: child.pid, wait_ms: LONG });
  expect(killed.text).toMatch(new RegExp(`^\\[pid ${child.pid} · (exited|zombie) · SIGTERM\\]$`));
  expect(cost(killed)).toBeLessThanOrEqual(20);
  const started = await call("proc_start", { command: "python3 -i -q", wait_ms: LONG });
  expect(started.text).toMatch(/^\[p_\w{6} · pid \d+ · prompt · no sandbox\]\n>>> $/);
  expect(cost(started)).toBeLessThanOrEqual(30);
  const { proc_id } = started.data;
  expect(cost(await call("proc_send", { proc_id, input: "1 + 1" }))).toBeLessThanOrEqual(20);
  expect(cost(await call("proc_read", { proc_id, timeout_ms: 30 }))).toBeLessThanOrEqual(15);
  expect(cost(await call("proc_sessions", {}))).toBeLessThanOrEqual(45);
  expect(cost(await call("proc_stop", { proc_id }))).toBeLessThanOrEqual(20);
});
