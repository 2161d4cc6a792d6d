import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { execa } from "execa";
import { expect, onTestFinished } from "vitest";
import { connectHttp, connectStdio, test } from "./servers.js";

type Payload = Record<string, unknown>;

async function call(client: Client, name: string, args: Payload): Promise<Payload> {
  return (await client.callTool({ name, arguments: args })).structuredContent as Payload;
}

/** Starts a process that sleeps until the test ends it. Resolves once it has ended. */
function sleeper(seconds: string, more: Readonly<{ uid?: number }> = {}) {
  const child = execa("/bin/sleep", [seconds], { ...more, stdio: "ignore", reject: false });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

test("processes are listed with stable fields, bounded and filtered, over both transports (000-R1, 000-R2, 000-R3, 002-3.4.1)", async ({
  http,
  stdio,
}) => {
  const { pid } = sleeper("730.25");
  void sleeper("730.25");
  const overHttp = await connectHttp(http);
  for (const client of [stdio.client, overHttp]) {
    const found = await call(client, "linux_proc_list", { name: "sleep 730.25", sort: "pid" });
    expect(found).toMatchObject({ total_processes: 2, truncated: false });
    expect((found["processes"] as Payload[])[0]).toEqual({
      pid,
      user: expect.any(String),
      cpu_percent: expect.any(Number),
      mem_percent: expect.any(Number),
      command: "/bin/sleep 730.25",
    });
    const cut = await call(client, "linux_proc_list", { max_results: 1, name: "sleep 730.25" });
    expect([(cut["processes"] as Payload[]).length, cut["truncated"], cut["handle"]]).toEqual([
      1,
      true,
      expect.any(String),
    ]);
    const mine = await call(client, "linux_proc_list", { user: "no such user" });
    expect(mine).toMatchObject({ processes: [], total_processes: 0 });
  }
  await overHttp.close();
});

test("a signal, TERM by default, is sent and answered with status and message (000-R4, 000-R6, 002-3.4.2, 002-L2-2)", async ({
  http,
  stdio,
}) => {
  const overHttp = await connectHttp(http);
  for (const client of [stdio.client, overHttp]) {
    const sleep = sleeper("731");
    const { pid } = sleep;
    const answer = await call(client, "linux_proc_kill", { pid, wait_ms: 20_000 });
    expect(answer).toEqual({
      success: true,
      message: `Sent SIGTERM to pid ${pid}`,
      outcome: expect.stringMatching(/^(exited|zombie)$/),
    });
    expect(await sleep).toMatchObject({ signal: "SIGTERM" });
  }
  await overHttp.close();
});

test("pid 1, the server itself and what it runs below are never signalled (000-R5, 002-L2-2)", async ({
  http,
  stdio,
}) => {
  const overHttp = await connectHttp(http);
  const servers = [
    [stdio.client, stdio.transport.pid],
    [overHttp, http.child.pid],
  ] as const;
  for (const [client, server] of servers) {
    for (const pid of [1, server, process.pid])
      expect(await call(client, "linux_proc_kill", { pid, signal: "KILL" })).toMatchObject({ code: "KILL_FORBIDDEN" });
    expect(await call(client, "linux_proc_kill", { pid: 2 ** 22 + 9 })).toMatchObject({ code: "PROCESS_NOT_FOUND" });
    expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  }
  await overHttp.close();
});

test.skipIf(process.geteuid?.() !== 0)(
  "another user's process is spared unless configured (000-R5; needs root)",
  async ({ root, home, stdio }) => {
    const { pid } = sleeper("732", { uid: 65_534 });

    expect(await call(stdio.client, "linux_proc_kill", { pid })).toMatchObject({ code: "PERMISSION_DENIED" });
    const set = ["--set", "mcp.linux_ops.process_limits.allow_kill_other_users=true"];
    const { client } = await connectStdio(root, home, "e2e", set);
    expect(await call(client, "linux_proc_kill", { pid, wait_ms: 20_000 })).toMatchObject({ success: true });
    await client.close();
  },
);

test("a process and what is below it, as a tree (002-3.4.3)", async ({ http, stdio }) => {
  const { pid } = sleeper("733");
  const overHttp = await connectHttp(http);
  for (const client of [stdio.client, overHttp]) {
    const { nodes } = await call(client, "linux_proc_tree", { pid: process.pid, depth: 1 });
    expect(nodes).toContainEqual(
      expect.objectContaining({ pid, ppid: process.pid, command: "/bin/sleep 733", children: 0 }),
    );
  }
  await overHttp.close();
});
