import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, onTestFinished } from "vitest";
import { hasBubblewrap, succeeds } from "./programs.js";
import { connectHttp, connectStdio, startHttp, test } from "./servers.js";

type Payload = Record<string, unknown>;

/** Generous: an answer comes when it is there. */
const LONG = 20_000;
const OFF = ['sandbox="off"', "allow_unsafe=true"].flatMap((each) => ["--set", `mcp.linux_ops.commands.${each}`]);
if (!hasBubblewrap) console.warn("skipped: bubblewrap makes no sandbox here");

async function call(client: Client, name: string, args: Payload): Promise<Payload> {
  return (await client.callTool({ name, arguments: args })).structuredContent as Payload;
}

const FUNCTION = [
  "def f(n):",
  ...Array.from({ length: 18 }, (_, at) => `    n = n + ${at}`),
  "    return n",
  "",
  "f(7)",
];

/** Interrupted before it has begun, it would begin behind the interrupt: it says when. */
const ENDLESS = `exec("print('be' + 'gun', flush=True)\\nwhile True: pass")`;

test("a Python REPL over both transports: started, sent a function of 20 lines, interrupted, stopped, a call each (002-2.8, 002-3.5.1, 002-3.5.2, 002-3.5.3, 002-3.5.4, 002-L3-1, 002-L3-2, 002-L3-3, 002-L3-4, 002-L3-5)", async ({
  root,
  home,
}) => {
  const http = await startHttp(root, home, OFF);
  onTestFinished(() => void http.stop());
  const stdio = await connectStdio(root, home, "e2e", OFF);
  onTestFinished(() => stdio.client.close());
  const overHttp = await connectHttp(http);
  for (const client of [stdio.client, overHttp]) {
    for (const pty of [false, true]) {
      const started = await call(client, "linux_proc_start", { command: "python3 -i", pty, wait_ms: LONG });
      expect(started).toMatchObject({
        pid: expect.any(Number),
        state: "running",
        why: "prompt",
        first_output: expect.stringMatching(/>>> $/),
      });
      const { proc_id } = started;
      const sent = await call(client, "linux_proc_send", { proc_id, input: FUNCTION.join("\n"), wait_ms: LONG });
      expect(sent).toMatchObject({ acknowledged: true, why: "prompt", output: expect.stringMatching(/\b160\n>>> $/) });
      await call(client, "linux_proc_send", { proc_id, input: ENDLESS, wait_ms: LONG, wait_for: "begun" });
      const broken = await call(client, "linux_proc_send", { proc_id, key: "ctrl-c", wait_ms: LONG });
      expect(broken).toMatchObject({ why: "prompt", output: expect.stringMatching(/KeyboardInterrupt\n>>> $/) });
      expect(await call(client, "linux_proc_send", { proc_id, input: "2 * 21", wait_ms: 0 })).toEqual({
        acknowledged: true,
        state: "running",
      });
      expect(await call(client, "linux_proc_read", { proc_id, timeout_ms: LONG })).toMatchObject({
        output: expect.stringContaining("42\n>>> "),
        state: "running",
      });
      expect(await call(client, "linux_proc_sessions", {})).toMatchObject({
        processes: [{ proc_id, state: "running" }],
      });
      expect(await call(client, "linux_proc_stop", { proc_id })).toMatchObject({ stopped: true, state: "exited" });
      expect(await call(client, "linux_proc_read", { proc_id })).toMatchObject({ state: "exited", exit_code: 143 });
      expect(await call(client, "linux_proc_read", { proc_id: "p_nobody" })).toEqual({
        output: "",
        state: "no_such_process",
      });
    }
  }
  await overHttp.close();
});

test.skipIf(!hasBubblewrap)(
  "the same in the sandbox, which it says; nothing of its background is left (002-L3-5)",
  async ({ stdio }) => {
    const { client } = stdio;
    for (const pty of [false, true]) {
      const started = await call(client, "linux_proc_start", { command: "python3 -i", pty, wait_ms: LONG });
      expect(started).toMatchObject({ sandbox: "bubblewrap", why: "prompt" });
      const { proc_id } = started;
      await call(client, "linux_proc_send", { proc_id, input: ENDLESS, wait_ms: LONG, wait_for: "begun" });
      const broken = await call(client, "linux_proc_send", { proc_id, key: "ctrl-c", wait_ms: LONG });
      expect(broken).toMatchObject({ why: "prompt", output: expect.stringContaining("KeyboardInterrupt") });
      const mark = freshMark();
      const input = `import os; os.system("setsid sleep ${mark} >/dev/null 2>&1 & echo begun")`;
      await call(client, "linux_proc_send", { proc_id, input, wait_ms: LONG, wait_for: "begun\n" });
      await call(client, "linux_proc_stop", { proc_id });
      await expect.poll(() => alive(mark), { timeout: LONG }).toEqual([]);
    }
  },
);

/** In a mount namespace of its own, where something lies over script. */
const WITHOUT_SCRIPT = ["unshare", "--mount", "sh", "-ec", 'mount --bind /dev/null /usr/bin/script; exec "$@"', "sh"];
const canHideScript = await succeeds("unshare", [...WITHOUT_SCRIPT.slice(1), "true"]);
if (!canHideScript) console.warn("skipped: script cannot be hidden from a server here");

test.skipIf(!hasBubblewrap || !canHideScript)(
  "where nothing can make a terminal in the sandbox, it is said at once; pipes go on",
  async ({ root, home }) => {
    const { client } = await connectStdio(root, home, "e2e", [], WITHOUT_SCRIPT);
    expect(await call(client, "linux_proc_start", { command: "cat", pty: true })).toMatchObject({
      code: "ENGINE_UNAVAILABLE",
      hint: expect.stringContaining("bsdutils"),
    });
    expect(await call(client, "linux_proc_start", { command: "cat", wait_ms: 0 })).toMatchObject({ state: "running" });
    await client.close();
  },
);

test("what belongs to a session ends with it, and is nobody else's before (002-2.8)", async ({ root, home }) => {
  const http = await startHttp(root, home, OFF);
  onTestFinished(() => void http.stop());
  const [mine, other] = [await connectHttp(http), await connectHttp(http)];
  const mark = freshMark();
  const { proc_id } = await call(mine, "linux_proc_start", { command: `sleep ${mark}`, wait_ms: 0 });
  await expect.poll(() => alive(mark).length, { timeout: LONG }).toBe(1);

  expect(await call(other, "linux_proc_read", { proc_id })).toMatchObject({ state: "no_such_process" });
  expect(await call(other, "linux_proc_stop", { proc_id })).toMatchObject({ code: "PROCESS_NOT_FOUND" });
  await (mine.transport as StreamableHTTPClientTransport).terminateSession();

  await expect.poll(() => alive(mark), { timeout: LONG }).toEqual([]);
  await other.close();
});

const LEFT: Readonly<Record<string, (mark: string) => string>> = {
  "a plain child": (mark) => `sleep ${mark} &`,
  "one in a session of its own": (mark) => `setsid sleep ${mark} &`,
  "one behind a double fork": (mark) => `(setsid sh -c 'sleep ${mark} & exec sleep 0.01' &);`,
  "one that ignores TERM": (mark) => `(trap '' TERM; exec sleep ${mark}) &`,
  "one that is stopped": (mark) => `sleep ${mark} & kill -STOP $!;`,
};
const PLACES = [["off", OFF], ...(hasBubblewrap ? [["sandbox", []] as const] : [])] as const;
const ENDS = PLACES.flatMap(([place, flags]) =>
  (["SIGTERM", "SIGKILL"] as const).map((signal) => [place, signal, flags] as const),
);

test.for(ENDS)(
  "no program outlives a server that ends by itself or is killed: %s, %s (002-2.8)",
  async ([, signal, flags], { root, home }) => {
    const marks: string[] = [];
    const limit = ["--set", "mcp.linux_ops.process_limits.max_procs_per_session=8"];
    const { client, transport } = await connectStdio(root, home, "e2e", [...flags, ...limit]);
    for (const left of Object.values(LEFT)) {
      const mark = freshMark();
      marks.push(mark);
      const command = `sh -c ${JSON.stringify(`${left(mark).replaceAll("$", "\\$")} echo ready; exec sleep ${mark}`).replaceAll("\\\\$", "\\$")}`;
      const started = await call(client, "linux_proc_start", { command, wait_for: "ready", wait_ms: LONG });
      expect(started).toMatchObject({ why: "matched" });
    }
    const closed = new Promise((resolve) => (client.onclose = () => resolve(undefined)));
    process.kill(transport.pid ?? 0, signal);
    await closed;

    for (const mark of marks) await expect.poll(() => alive(mark), { timeout: LONG }).toEqual([]);
  },
);

function freshMark(): string {
  return `${randomInt(1_000_000, 9_000_000)}.25`;
}

/** Those that sleep for just so long. */
function alive(mark: string): string[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(`sleep\0${mark}\0`);
    } catch {
      return false;
    }
  });
}
