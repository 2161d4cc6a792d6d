import { randomInt } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect } from "vitest";
import { hasBubblewrap, succeeds } from "./programs.js";
import { connectHttp, connectStdio, startHttp, test, type HttpServer, type StdioServer } from "./servers.js";

/** In a mount namespace of its own, where something lies over bwrap: the box of util-linux is what is left. */
const WITHOUT_BWRAP = [
  "unshare",
  "--mount",
  "sh",
  "-ec",
  'mount --bind /dev/null "$(command -v bwrap)"; exec "$@"',
  "sh",
];
const canHideIt = await succeeds("unshare", [...WITHOUT_BWRAP.slice(1), "true"]);

interface Place {
  readonly isPossible: boolean;
  readonly args: readonly string[];
  readonly under: readonly string[];
}

const PLACES: Readonly<Record<string, Place>> = {
  bubblewrap: { isPossible: hasBubblewrap, args: [], under: [] },
  "the box of util-linux": { isPossible: canHideIt, args: [], under: WITHOUT_BWRAP },
  "no sandbox": {
    isPossible: true,
    args: ["--set", "mcp.linux_ops.commands.sandbox=off", "--set", "mcp.tools.run_cmd_allowlist=bash"],
    under: [],
  },
};
for (const [name, { isPossible }] of Object.entries(PLACES))
  if (!isPossible) console.warn(`skipped: ${name} cannot be had here`);

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

/** Whether the engine among these is there, and not only what makes a cell for it. */
function isBusy(pids: readonly string[]): boolean {
  return pids.some((pid) => readFileSync(`/proc/${pid}/comm`, "latin1") === "rg\n");
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

/** The call that has them made, once all of them are there; it goes on. */
type Begin = (client: Client, nap: string, signal?: AbortSignal) => Promise<void>;

const begin =
  (name: string, args: (command: string) => Record<string, unknown>): Begin =>
  async (client, nap, signal) => {
    const call = { name, arguments: args("bash children.sh") };
    client.callTool(call, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
    await until(() => napping(nap).length >= KINDS);
  };

const BEGINNINGS = {
  run_cmd: begin("run_cmd", (command) => ({ command })),
  proc_start: begin("linux_proc_start", (command) => ({ command, wait_ms: 25_000, wait_for: "never" })),
  "proc_start in a terminal": begin("linux_proc_start", (command) => ({
    command,
    pty: true,
    wait_ms: 25_000,
    wait_for: "never",
  })),
};

for (const [place, { isPossible, args, under }] of Object.entries(PLACES)) {
  describe.skipIf(!isPossible)(`in ${place} no child survives`, () => {
    interface Folders {
      readonly root: string;
      readonly home: string;
    }

    function planted(root: string): string {
      const nap = freshNap();
      writeFileSync(join(root, "children.sh"), children(nap));
      return nap;
    }

    async function overStdio(
      { root, home }: Folders,
      work: (server: StdioServer, nap: string) => Promise<void>,
      more: readonly string[] = [],
    ): Promise<void> {
      const nap = planted(root);
      const server = await connectStdio(root, home, "e2e", [...args, ...more], under);
      try {
        await work(server, nap);
        await until(() => napping(nap).length === 0);
      } finally {
        await server.client.close();
      }
    }

    async function overHttp(
      { root, home }: Folders,
      work: (server: HttpServer, nap: string) => Promise<void>,
    ): Promise<void> {
      const nap = planted(root);
      const server = await startHttp(root, home, args, under);
      try {
        await work(server, nap);
        await until(() => napping(nap).length === 0);
      } finally {
        await server.stop();
      }
    }

    // Without a box it is left alone until the server ends: docs/security.md says so.
    test.skipIf(place === "no sandbox")(
      "`sleep & disown` in any tool, when the command itself is done",
      ({ root, home }) =>
        overStdio({ root, home }, async ({ client }, nap) => {
          const command = `sleep ${nap} & disown`;
          for (const [name, args] of [
            ["run_cmd", { command }],
            ["run_cmd", { command: ["bash", "-c", command] }],
            ["EXEC_CLI", { command }],
            ["linux_proc_start", { command, wait_for: "never", wait_ms: 20_000 }],
            ["linux_proc_start", { command, pty: true, wait_for: "never", wait_ms: 20_000 }],
          ] as const) {
            const done = (await client.callTool({ name, arguments: args })).structuredContent;
            expect(JSON.stringify(done), name).toContain('"exit_code":0');
            await until(() => napping(nap).length === 0);
          }
        }),
    );

    test("a timeout", ({ root, home }) =>
      overStdio({ root, home }, async ({ client }, nap) => {
        const ended = await client.callTool({
          name: "run_cmd",
          arguments: { command: "bash children.sh", timeout: 2 },
        });
        expect(ended.structuredContent).toMatchObject({ data: { exit_code: 124 } });
        expect(napping(nap)).toEqual([]);
      }));

    test("a timeout after it was handed over", ({ root, home }) =>
      overStdio(
        { root, home },
        async ({ client }, nap) => {
          const call = { name: "run_cmd", arguments: { command: "bash children.sh", timeout: 4 } };
          const handed = (await client.callTool(call)).structuredContent as { data: { proc_id: string } };
          expect(handed).toMatchObject({ data: { status: "RUNNING" } });
          const { proc_id } = handed.data;
          const read = { proc_id, wait_for: "never", timeout_ms: 20_000 };
          const ended = await client.callTool({ name: "linux_proc_read", arguments: read });
          expect(ended.structuredContent).toMatchObject({ state: "exited" });
          expect(napping(nap)).toEqual([]);
        },
        ["--set", "mcp.linux_ops.process_limits.auto_background_after=1"],
      ));

    test.for(["proc_start", "proc_start in a terminal"] as const)("a stop: %s", (beginning, { root, home }) =>
      overStdio({ root, home }, async ({ client }, nap) => {
        await BEGINNINGS[beginning](client, nap);
        const { processes } = (await client.callTool({ name: "linux_proc_sessions", arguments: {} }))
          .structuredContent as { processes: { proc_id: string }[] };
        const { proc_id } = processes[0] as { proc_id: string };
        const stopped = await client.callTool({ name: "linux_proc_stop", arguments: { proc_id, grace_ms: 300 } });
        expect(stopped.structuredContent).toMatchObject({ stopped: true, state: "exited" });
        expect(napping(nap)).toEqual([]);
      }),
    );

    test.for(["run_cmd", "proc_start"] as const)("a cancelled call: %s", (beginning, { root, home }) =>
      overStdio({ root, home }, async ({ client }, nap) => {
        const call = new AbortController();
        await BEGINNINGS[beginning](client, nap, call.signal);
        call.abort();
        await until(() => napping(nap).length === 0);
        expect((await client.listTools()).tools.length).toBeGreaterThan(0);
      }),
    );

    test.for(["run_cmd", "proc_start"] as const)("the end of the session, over HTTP: %s", (beginning, { root, home }) =>
      overHttp({ root, home }, async (http, nap) => {
        const client = await connectHttp(http);
        await BEGINNINGS[beginning](client, nap);
        await (client.transport as StreamableHTTPClientTransport).terminateSession();
        await until(() => napping(nap).length === 0);
        await client.close();
      }),
    );

    test.for(["run_cmd", "proc_start"] as const)("a client that is gone (stdin EOF): %s", (beginning, { root, home }) =>
      overStdio({ root, home }, async ({ client }, nap) => {
        await BEGINNINGS[beginning](client, nap);
        await client.close();
      }),
    );

    const KILLED = (["SIGTERM", "SIGKILL"] as const).flatMap((signal) =>
      (["run_cmd", "proc_start", "proc_start in a terminal"] as const).map((beginning) => [signal, beginning] as const),
    );
    test.for(KILLED)("%s of the server: %s", ([signal, beginning], { root, home }) =>
      overStdio({ root, home }, async ({ client, transport }, nap) => {
        await BEGINNINGS[beginning](client, nap);
        process.kill(transport.pid ?? 0, signal);
      }),
    );

    test.for(["SIGTERM", "SIGKILL"] as const)(
      "%s of the server, while a shell waits for the next command",
      (signal, { root, home }) =>
        overStdio({ root, home }, async ({ client, transport }) => {
          await client.callTool({ name: "run_cmd", arguments: { command: ["bash", "-c", "true"] } });
          await until(() => waiting(transport.pid).length > 0);
          const [shell] = waiting(transport.pid);
          process.kill(transport.pid ?? 0, signal);
          await until(() => !existsSync(`/proc/${shell}`));
        }),
    );

    test.for([1, 3, 5, 8])("SIGKILL of the server, while many commands start: %i have", (started, { root, home }) =>
      overStdio({ root, home }, async ({ client, transport }, nap) => {
        const call = { name: "run_cmd", arguments: { command: ["bash", "-c", `exec sleep ${nap}`] } };
        for (let at = 0; at < 20; at += 1) client.callTool(call).catch(() => undefined);
        await until(() => napping(nap).length >= started);
        process.kill(transport.pid ?? 0, "SIGKILL");
        // What makes a box for it has it among its own words.
        await until(() => napping(`exec sleep ${nap}`).length === 0);
      }),
    );

    // Elsewhere it ends what it was given: docs/security.md says so.
    test.skipIf(place !== "bubblewrap").for(["SIGTERM", "SIGKILL"] as const)(
      "%s of the server, while an engine is at a pattern that takes long",
      (signal, { root, home }) =>
        overStdio({ root, home }, async ({ client, transport }, nap) => {
          writeFileSync(join(root, "words"), `${"word".repeat(4)}\n`.repeat(100_000));
          // Looking around takes PCRE2, which goes back and forth.
          const pattern = `(?=(?:\\w+)+[A-Z]{17}${nap})`;
          client.callTool({ name: "linux_search_content", arguments: { root, pattern } }).catch(() => undefined);
          await until(() => isBusy(napping(pattern)));
          process.kill(transport.pid ?? 0, signal);
          await until(() => napping(pattern).length === 0);
        }),
    );

    test("SIGKILL of the server, over HTTP", ({ root, home }) =>
      overHttp({ root, home }, async (http, nap) => {
        const args = { command: ["bash", "children.sh"] };
        http.post("/tool", { session_id: "s", name: "run_cmd", args }).catch(() => undefined);
        await until(() => napping(nap).length >= KINDS);
        http.child.kill("SIGKILL");
      }));
  });
}
