import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { expect } from "vitest";
import { hasBubblewrap } from "./programs.js";
import { connectHttp, connectStdio, startHttp, test, type HttpServer } from "./servers.js";

type Payload = Record<string, unknown>;

/** Generous: an answer comes when it is there. */
const LONG = 20_000;
const OFF = ["--set", "mcp.linux_ops.commands.sandbox=off", "--set", "mcp.linux_ops.commands.allow_unsafe=true"];
const limits = (settings: Readonly<Record<string, number>>): string[] =>
  Object.entries(settings).flatMap(([key, value]) => ["--set", `mcp.linux_ops.process_limits.${key}=${value}`]);
if (!hasBubblewrap) console.warn("skipped: bubblewrap makes no sandbox here");

async function call(client: Client, name: string, args: Payload): Promise<Payload> {
  return (await client.callTool({ name, arguments: args })).structuredContent as Payload;
}

async function whileServed(server: HttpServer, work: (...clients: [Client, Client]) => Promise<void>): Promise<void> {
  const clients: [Client, Client] = [await connectHttp(server), await connectHttp(server)];
  try {
    await work(...clients);
  } finally {
    for (const client of clients) await client.close();
    await server.stop();
  }
}

const NO_TOKEN = ["--set", "mcp.auth.mode=none", "--set", "mcp.auth.allow_unauthenticated=true"];

test.skipIf(!hasBubblewrap).for([
  ["with a token", [], true],
  ["where nobody is asked for one", NO_TOKEN, false],
] as const)(
  "%s: whether commands have the network, the server's own port included",
  async ([, args, isOpen], { root, home }) => {
    const server = await startHttp(root, home, args);
    const knock = `(exec 3<>/dev/tcp/127.0.0.1/${new URL(server.url).port}) && echo connected; ls /sys/class/net | wc -l`;

    await whileServed(server, async (client) => {
      const once = await call(client, "EXEC_CLI", { command: knock });
      expect(once).toMatchObject({ network: isOpen, stdout: expect.stringMatching(isOpen ? /^connected/ : /^\d/) });
      const script = "import socket; print('net' if socket.create_connection(('127.0.0.1', PORT), 5) else '')";
      const command = `python3 -c "${script.replace("PORT", new URL(server.url).port)}"`;
      const lasting = await call(client, "linux_proc_start", { command, wait_for: "net\n", wait_ms: LONG });
      expect(lasting).toMatchObject({
        network: isOpen,
        first_output: expect.stringMatching(isOpen ? /^net/ : /refused|unreachable/),
      });
    });
  },
);

test("as many managed processes as a session may have, and as many as all may have", async ({ root, home }) => {
  const server = await startHttp(root, home, [...OFF, ...limits({ max_procs_per_session: 2, max_procs_total: 3 })]);
  const cat = { command: "cat", wait_ms: 0 };

  await whileServed(server, async (mine, other) => {
    const { proc_id } = await call(mine, "linux_proc_start", cat);
    await call(mine, "linux_proc_start", cat);
    expect(await call(mine, "linux_proc_start", cat)).toMatchObject({
      code: "PROC_LIMIT",
      hint: expect.stringMatching(new RegExp(`${String(proc_id)}.*max_procs_per_session`)),
    });
    await call(other, "linux_proc_start", cat);
    expect(await call(other, "linux_proc_start", cat)).toMatchObject({
      code: "PROC_LIMIT",
      hint: expect.stringContaining("max_procs_total"),
    });
    await call(mine, "linux_proc_stop", { proc_id });
    expect(await call(other, "linux_proc_start", cat)).toMatchObject({ state: "running" });
  });
});

test("what a session over HTTP does not use ends after idle_timeout_sec; over stdio the client is there", async ({
  root,
  home,
}) => {
  const args = [...OFF, ...limits({ idle_timeout_sec: 1 })];
  const server = await startHttp(root, home, args);
  const stdio = await connectStdio(root, home, "e2e", args);
  const [unused, kept] = [nap(), nap()];

  try {
    await call(stdio.client, "linux_proc_start", { command: `sleep ${kept}`, wait_ms: 0 });
    await whileServed(server, async (client) => {
      const { proc_id } = await call(client, "linux_proc_start", { command: `sleep ${unused}`, wait_ms: 0 });
      await expect.poll(() => sleeping(unused), { timeout: LONG }).toEqual([]);
      expect(await call(client, "linux_proc_read", { proc_id })).toMatchObject({ output: "" });
      // It was started before the other one, and nobody has called for it since.
      expect(sleeping(kept)).toHaveLength(1);
    });
  } finally {
    await stdio.client.close();
  }
  await expect.poll(() => sleeping(kept), { timeout: LONG }).toEqual([]);
});

function nap(): string {
  return `${randomInt(1_000_000, 9_000_000)}.125`;
}

function sleeping(nap: string): string[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(`sleep\0${nap}\0`);
    } catch {
      return false;
    }
  });
}
