import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { expect, onTestFinished } from "vitest";
import { connectHttp, connectStdio, startHttp, test } from "./servers.js";

type Payload = Record<string, unknown>;

interface Answer {
  readonly text: string;
  readonly data: Payload;
}

/** Generous, because an answer comes as soon as it is ready. */
const LONG = 20_000;
const OFF = ['sandbox="off"', "allow_unsafe=true"].flatMap((each) => ["--set", `mcp.linux_ops.commands.${each}`]);
const IS_LONG = process.env["LLMC_LONG"] === "1";

/** Build with its caller's patience: a short build by default, one of 80 seconds with LLMC_LONG=1. */
const BUILD = IS_LONG
  ? { steps: 80, pause: 1, handOver: 30, readMs: 45_000 }
  : { steps: 8, pause: 0.5, handOver: 1, readMs: 2500 };

async function call(client: Client, name: string, args: Payload, signal?: AbortSignal): Promise<Answer> {
  const result = await client.callTool({ name, arguments: args }, undefined, {
    timeout: 120_000,
    ...(signal === undefined ? {} : { signal }),
  });
  const [first] = result.content as { text: string }[];
  return { text: first?.text ?? "", data: result.structuredContent as Payload };
}

test(
  "a build is followed to its end in three calls, whatever pauses it makes",
  { timeout: 200_000 },
  async ({ root, home }) => {
    const set = ["--set", `mcp.tools.exec_timeout=${BUILD.handOver}`];
    const { client } = await connectStdio(root, home, "e2e", [...OFF, ...set]);
    onTestFinished(() => client.close());
    const script = `for i in $(seq ${BUILD.steps}); do echo step $i; sleep ${BUILD.pause}; done; echo built`;

    const begun = await call(client, "run_cmd", { command: ["sh", "-c", script] });
    const { proc_id, stdout } = begun.data["data"] as { proc_id: string; stdout: string };
    let [calls, told, state] = [1, stdout, "running"];
    while (state === "running") {
      const { data } = await call(client, "linux_proc_read", { proc_id, timeout_ms: BUILD.readMs });
      calls += 1;
      told += String(data["output"]);
      state = String(data["state"]);
    }

    expect(calls).toBeLessThanOrEqual(3);
    const steps = Array.from({ length: BUILD.steps }, (_, at) => `step ${at + 1}\n`);
    expect(told).toBe(`${steps.join("")}built\n`);
  },
);

test("what a cancelled read would have told is told by the next one, over both transports", async ({ root, home }) => {
  const http = await startHttp(root, home, OFF);
  onTestFinished(() => void http.stop());
  const stdio = await connectStdio(root, home, "e2e", OFF);
  onTestFinished(() => stdio.client.close());
  for (const client of [stdio.client, await connectHttp(http)]) {
    const command = "sh -c 'echo begun; read line; echo one; echo two; exec sleep 600'";
    const { proc_id } = (await call(client, "linux_proc_start", { command, wait_for: "begun", wait_ms: LONG })).data;
    const cancel = new AbortController();
    const read = call(client, "linux_proc_read", { proc_id, wait_for: "never", timeout_ms: LONG }, cancel.signal);
    read.catch(() => {});
    await call(client, "linux_proc_send", { proc_id, input: "go", wait_ms: 0 });
    const unread = async () => {
      const { data } = await call(client, "linux_proc_sessions", {});
      return (data["processes"] as Payload[])[0]?.["unread_bytes"];
    };
    await expect.poll(unread, { timeout: LONG }).toBe(8);
    cancel.abort();

    await expect(read).rejects.toThrow(/abort/i);
    expect((await call(client, "linux_proc_read", { proc_id })).data).toMatchObject({ output: "one\ntwo\n" });
    await call(client, "linux_proc_stop", { proc_id });
  }
});

test("a line is answered without a time by MCP, and by POST /tool not", async ({ root, home }) => {
  const http = await startHttp(root, home, OFF);
  onTestFinished(() => void http.stop());
  const stdio = await connectStdio(root, home, "e2e", OFF);
  onTestFinished(() => stdio.client.close());
  const input = "import time; time.sleep(0.5); print('be' + 'gun'); time.sleep(0.5); print(6 * 7)";
  for (const client of [stdio.client, await connectHttp(http)]) {
    const { proc_id } = (await call(client, "linux_proc_start", { command: "python3 -i", wait_ms: LONG })).data;
    const { text, data } = await call(client, "linux_proc_send", { proc_id, input });
    expect(data).toMatchObject({ acknowledged: true, output: "begun\n42\n>>> ", why: "prompt" });
    expect(text).toBe(`[${String(proc_id)} · prompt]\nbegun\n42\n>>> `);
    // The answer above has told the output already.
    const read = await call(client, "linux_proc_read", { proc_id, timeout_ms: 30 });
    expect(read.text).toBe(`[${String(proc_id)} · still running]\n`);
  }

  const rest = async (name: string, args: Payload): Promise<Payload> => {
    const { body } = await http.post("/tool", { name, args, session_id: "rest" });
    return (body as { data: Payload }).data;
  };
  const { proc_id } = await rest("linux.proc_start", { command: "python3 -i", wait_ms: LONG });
  expect(await rest("linux.proc_send", { proc_id, input })).toEqual({ acknowledged: true, state: "running" });
  const read = await rest("linux.proc_read", { proc_id, timeout_ms: LONG });
  expect(read).toMatchObject({ output: "begun\n42\n>>> ", why: "prompt" });
});

test("what has ended, what shows no prompt and what cannot be signalled is said in words", async ({ root, home }) => {
  const { client, transport } = await connectStdio(root, home, "e2e", OFF);
  onTestFinished(() => client.close());

  const over = await call(client, "linux_proc_start", { command: "true", wait_ms: LONG });
  const proc_id = String(over.data["proc_id"]);
  for (const tool of ["linux_proc_read", "linux_proc_stop", "linux_proc_read"])
    expect((await call(client, tool, { proc_id })).text).toBe(`[${proc_id} has already ended (exit 0)]`);
  const silent = await call(client, "linux_proc_start", { command: "python3" });
  expect(silent.text).toContain("waits for input");
  expect(silent.text).toContain("shows no prompt: start python3 -i, or pty: true");
  const self = await call(client, "linux_proc_kill", { pid: transport.pid });
  expect(self.text).toContain(`Process ${transport.pid} is this server and cannot be signalled`);
});
