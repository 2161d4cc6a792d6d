import { randomInt } from "node:crypto";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { describe, expect } from "vitest";
import { connectStdio, startHttp, test } from "./servers.js";

const hasBubblewrap =
  spawnSync("bwrap", ["--unshare-user", "--ro-bind", "/", "/", "true"], { stdio: "ignore" }).status === 0;

/** A length of sleep that is nobody else's: command lines with it are ours. */
const freshNap = (): string => `${randomInt(100_000, 1_000_000)}.5`;

function napping(nap: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "latin1").split("\0").includes(nap);
      } catch {
        return false;
      }
    });
}

/** Shells of the server that become its next command. */
function waiting(server: number | null): string[] {
  return readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name))
    .filter((pid) => {
      try {
        const isChild = readFileSync(`/proc/${pid}/stat`, "latin1").includes(`) S ${server} `);
        return isChild && readFileSync(`/proc/${pid}/cmdline`, "latin1").startsWith("/bin/sh\0-s\0");
      } catch {
        return false;
      }
    });
}

/** Children of each kind that is hard to end. */
const children = (nap: string): string => `
  sleep ${nap} &
  setsid sleep ${nap} &
  (setsid sleep ${nap} &)
  (trap '' TERM HUP INT; sleep ${nap}) &
  sleep ${nap} & until grep -q sleep /proc/$!/comm; do :; done; kill -STOP $!
  sleep ${nap}`;
const KINDS = 6;

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Starts them and comes back when all of them are there; the call itself is left alone. */
async function begun(client: Client, nap: string): Promise<void> {
  client.callTool({ name: "run_cmd", arguments: { command: ["bash", "-c", children(nap)] } }).catch(() => undefined);
  await until(() => napping(nap).length >= KINDS);
}

describe.each([
  ["in a sandbox", [], hasBubblewrap],
  [
    "without a sandbox",
    ["--set", "mcp.linux_ops.commands.sandbox=off", "--set", "mcp.tools.run_cmd_allowlist=bash"],
    true,
  ],
] as const)("%s", (_, args, isPossible) => {
  describe.skipIf(!isPossible)("no child of a command survives", () => {
    test("a timeout", async ({ root, home }) => {
      const nap = freshNap();
      const { client } = await connectStdio(root, home, "e2e", args);
      const call = client.callTool({
        name: "run_cmd",
        arguments: { command: ["bash", "-c", children(nap)], timeout: 2 },
      });
      expect((await call).structuredContent).toMatchObject({ data: { exit_code: 124 } });
      expect(napping(nap)).toEqual([]);
      await client.close();
    });

    test("a cancelled call", async ({ root, home }) => {
      const nap = freshNap();
      const { client } = await connectStdio(root, home, "e2e", args);
      const call = new AbortController();
      const done = client.callTool(
        { name: "run_cmd", arguments: { command: ["bash", "-c", children(nap)] } },
        undefined,
        { signal: call.signal },
      );
      done.catch(() => undefined);
      await until(() => napping(nap).length >= KINDS);
      call.abort();
      await until(() => napping(nap).length === 0);
      await client.close();
    });

    test("a client that is gone (stdin EOF)", async ({ root, home }) => {
      const nap = freshNap();
      const { client } = await connectStdio(root, home, "e2e", args);
      await begun(client, nap);
      await client.close();
      await until(() => napping(nap).length === 0);
    });

    test.for(["SIGTERM", "SIGKILL"] as const)("%s of the server", async (signal, { root, home }) => {
      const nap = freshNap();
      const { client, transport } = await connectStdio(root, home, "e2e", args);
      await begun(client, nap);
      process.kill(transport.pid ?? 0, signal);
      await until(() => napping(nap).length === 0);
      await client.close();
    });

    test.for(["SIGTERM", "SIGKILL"] as const)(
      "%s of the server, while a shell waits for the next one",
      async (signal, { root, home }) => {
        const { client, transport } = await connectStdio(root, home, "e2e", args);
        await client.callTool({ name: "run_cmd", arguments: { command: ["bash", "-c", "true"] } });
        await until(() => waiting(transport.pid).length > 0);
        const [shell] = waiting(transport.pid);
        process.kill(transport.pid ?? 0, signal);
        await until(() => !existsSync(`/proc/${shell}`));
        await client.close();
      },
    );

    test("SIGKILL of the server, over HTTP", async ({ root, home }) => {
      const nap = freshNap();
      const http = await startHttp(root, home, args);
      const call = http.post("/tool", {
        session_id: "s",
        name: "run_cmd",
        args: { command: ["bash", "-c", children(nap)] },
      });
      call.catch(() => undefined);
      await until(() => napping(nap).length >= KINDS);
      http.child.kill("SIGKILL");
      await until(() => napping(nap).length === 0);
    });
  });
});
