import { randomInt } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { execaSync } from "execa";
import { describe, expect } from "vitest";
import { succeeds } from "./programs.js";
import { connectStdio, STDIO_MAIN, test, type StdioServer } from "./servers.js";

type Payload = Record<string, unknown>;

/** Generous: an answer comes when it is there. */
const LONG = 20_000;
/** Nobody else's: what the kernel counts by user is counted for the server alone. */
const UID = randomInt(200_000, 60_000_000);
const BECOME = ["setpriv", `--reuid=${UID}`, `--regid=${UID}`, "--clear-groups", "--"];

const why =
  process.getuid?.() !== 0
    ? "only root can become somebody else"
    : (await asUser([process.execPath, STDIO_MAIN, "--help"]))
      ? undefined
      : "another user cannot read this checkout, or Node";
if (why !== undefined) console.warn(`skipped: ${why}`);

const hasBubblewrap = await asUser(["bwrap", "--unshare-user", "--ro-bind", "/", "/", "true"]);
const hasUserNamespaces = await asUser(["unshare", "--user", "--map-root-user", "--mount", "true"]);
if (!hasBubblewrap) console.warn("skipped: bubblewrap makes no sandbox for another user here");
if (!hasUserNamespaces) console.warn("skipped: another user may make no namespaces here");

/** In a mount namespace of its own, where something lies over bwrap, and mounts in mounts below a folder of the system. */
const WITHOUT_BWRAP = [
  ...["unshare", "--mount", "sh", "-ec"],
  `bwrap=$(command -v bwrap) && mount --bind /dev/null "$bwrap"
   mount -t tmpfs -o mode=755 in /usr/src; mkdir "/usr/src/a 1" /usr/src/b
   mount -t tmpfs -o mode=1777,nosuid,noexec in "/usr/src/a 1"; echo shown >"/usr/src/a 1/file"
   mount -t tmpfs -o mode=1777 in /usr/src/b
   exec "$@"`,
  "sh",
];
/** In a PID namespace whose /proc shows nobody what belongs to others. The first process stays root's. */
const HIDDEN = [
  "unshare",
  "--pid",
  "--mount",
  "--fork",
  "--kill-child",
  "sh",
  "-c",
  'mount -t proc -o hidepid=2 proc /proc && "$@"; exit',
  "sh",
];
const OFF = ["--set", "mcp.linux_ops.commands.sandbox=off", "--set", "mcp.linux_ops.commands.allow_unsafe=true"];

/** A server of that user, over folders that are his; it has ended when the work is done. */
async function served(
  { root, home }: { root: string; home: string },
  { args = [], under = [] }: { args?: readonly string[]; under?: readonly string[] },
  work: (server: StdioServer) => Promise<void>,
): Promise<void> {
  for (const folder of [root, home]) chownSync(folder, UID, UID);
  const server = await connectStdio(root, home, "e2e", args, [...under, ...BECOME]);
  try {
    await work(server);
  } finally {
    await server.client.close();
  }
}

async function call(client: Client, name: string, args: Payload): Promise<Payload> {
  return (await client.callTool({ name, arguments: args })).structuredContent as Payload;
}

describe.skipIf(why !== undefined)("a server that is not root", () => {
  const TIERS = [
    ["bubblewrap", hasBubblewrap, []],
    ["namespaces", hasUserNamespaces, hasBubblewrap && existsSync("/usr/src") ? WITHOUT_BWRAP : []],
  ] as const;
  for (const [kind, isThere, under] of TIERS) {
    test.skipIf(!isThere)(
      `runs commands and a REPL in ${kind}, as itself, and nothing of them is left`,
      async ({ root, home }) => {
        await served({ root, home }, { under }, async ({ client }) => {
          const run = await call(client, "EXEC_CLI", { command: "id -u; echo made > made; cat made; ls /root" });
          expect(run).toMatchObject({ stdout: `${UID}\nmade\n`, sandbox: kind });
          const within = 'cat "/usr/src/a 1/file"; echo x >"/usr/src/a 1/x"; echo x >/usr/src/b/x; echo x >/usr/src/x';
          const tried = await call(client, "EXEC_CLI", { command: `${within}; ls -R /usr/src` });
          expect(tried["stderr"]).toMatch(/Read-only file system|Permission denied/);
          expect(tried["stdout"]).not.toMatch(/^x$/m);
          if (under.length > 0) expect(tried["stdout"]).toContain("shown\n");
          const { proc_id, ...started } = await call(client, "linux_proc_start", {
            command: "python3 -i",
            pty: true,
            wait_ms: LONG,
          });
          expect(started).toMatchObject({ why: "prompt", sandbox: kind });
          const nap = `${randomInt(1_000_000, 9_000_000)}.75`;
          const input = `import os; os.system("setsid sleep ${nap} & echo be''gun")`;
          await call(client, "linux_proc_send", { proc_id, input, wait_for: "begun", wait_ms: LONG });
          const looping = `exec("print('on' + 'ce', flush=True)\\nwhile True: pass")`;
          await call(client, "linux_proc_send", { proc_id, input: looping, wait_for: "once", wait_ms: LONG });
          expect(await call(client, "linux_proc_send", { proc_id, key: "ctrl-c", wait_ms: LONG })).toMatchObject({
            why: "prompt",
            output: expect.stringContaining("KeyboardInterrupt"),
          });
          expect(await call(client, "linux_proc_stop", { proc_id })).toMatchObject({ stopped: true });
          await expect
            .poll(() => pidsOf(UID).filter((pid) => commandOf(pid).includes(nap)), { timeout: LONG })
            .toEqual([]);
        });
      },
    );
  }

  test("what it may not read is refused where it is asked for, and counted where it lies below", async ({
    root,
    home,
  }) => {
    for (const [folder, mode] of [
      ["shut", 0o700],
      ["open", 0o755],
    ] as const) {
      mkdirSync(`${root}/${folder}`);
      writeFileSync(`${root}/${folder}/needle.txt`, "a needle\n");
      chmodSync(`${root}/${folder}`, mode);
    }
    writeFileSync(`${root}/needle-shut.txt`, "a needle\n", { mode: 0o600 });
    await served({ root, home }, {}, async ({ client }) => {
      for (const name of ["linux_search_content", "linux_search_files"]) {
        const found = await call(client, name, { root, pattern: "needle" });
        expect([name, found]).toEqual([
          name,
          expect.objectContaining({ left_out: { unreadable: name === "linux_search_files" ? 1 : 2 } }),
        ]);
        for (const path of ["shut", "shut/needle.txt"]) {
          const refused = await client.callTool({ name, arguments: { root: `${root}/${path}`, pattern: "needle" } });
          const [{ text }] = refused.content as [{ text: string }];
          expect([name, path, refused.isError, text]).toEqual([
            name,
            path,
            true,
            expect.stringMatching(/^[A-Z_]+: .*permission/i),
          ]);
        }
      }
      const alone = { root: `${root}/needle-shut.txt`, pattern: "needle" };
      const { content } = await client.callTool({ name: "linux_search_content", arguments: alone });
      const text = `PERMISSION_DENIED: No permission for ${root}/needle-shut.txt\nHint: The server runs as uid ${UID}`;
      expect(content).toEqual([{ type: "text", text: expect.stringContaining(text) }]);
    });
  });

  test("where /proc hides what is others' (hidepid), its own processes are listed, and it is said", async ({
    root,
    home,
  }) => {
    await served({ root, home }, { under: HIDDEN, args: OFF }, async ({ client }) => {
      const listed = await call(client, "linux_proc_list", {});
      expect(listed).toMatchObject({ note: expect.stringContaining("hidepid") });
      expect((listed["processes"] as Payload[]).map(({ command }) => command).join("\n")).toContain(STDIO_MAIN);
      expect(await call(client, "linux_proc_kill", { pid: 1 })).toMatchObject({ code: "KILL_FORBIDDEN" });
      const { proc_id, pid } = await call(client, "linux_proc_start", { command: "sleep 700", wait_ms: 0 });
      expect(await call(client, "linux_proc_kill", { pid, wait_ms: LONG })).toMatchObject({ success: true });
      expect(await call(client, "linux_proc_read", { proc_id, wait_for: "never", timeout_ms: LONG })).toMatchObject({
        state: "exited",
        signal: "SIGTERM",
      });
    });
  });

  test("where there is no process for the watcher either, a command is refused, and the next one is held", async ({
    root,
    home,
  }) => {
    const nap = `${randomInt(1_000_000, 9_000_000)}.625`;
    await served({ root, home }, { args: OFF }, async ({ client, transport }) => {
      const server = transport.pid ?? 0;
      const echo = () => call(client, "run_cmd", { command: ["echo", "here"] });
      limitProcesses(server, 1);
      expect(await echo()).toMatchObject({ code: "ENGINE_UNAVAILABLE", message: expect.stringContaining("watcher") });

      limitProcesses(server, tasksOf(UID) + 100);
      const line = `setsid sleep ${nap} & echo started`;
      expect(await call(client, "run_cmd", { command: ["bash", "-c", line] })).toMatchObject({
        data: { exit_code: 0 },
      });
      expect(pidsOf(UID).filter((pid) => commandOf(pid).includes(`${nap}\0`))).toHaveLength(1);
      process.kill(server, "SIGKILL");
      await expect.poll(() => pidsOf(UID).filter((pid) => commandOf(pid).includes(nap)), { timeout: LONG }).toEqual([]);
    });
  });

  for (const [place, args] of [["off", OFF], ...(hasBubblewrap ? [["in a sandbox", []] as const] : [])] as const) {
    test(`where it may start no more processes (EAGAIN) each call says so, and the next one works: ${place}`, async ({
      root,
      home,
    }) => {
      await served({ root, home }, { args }, async ({ client, transport }) => {
        const server = transport.pid ?? 0;
        const echo = () => call(client, "run_cmd", { command: ["echo", "here"] });
        const start = (pty: boolean) => call(client, "linux_proc_start", { command: "cat", pty, wait_ms: 300 });
        expect(await echo()).toMatchObject({ data: { stdout: "here\n" } });

        limitProcesses(server, 1);
        const refused = { code: "ENGINE_UNAVAILABLE", hint: expect.stringContaining("fewer processes") };
        // A shell that waits for the next command was made before; no other one can be.
        for (const asked of [echo, () => start(false), () => start(true)])
          await expect.poll(asked, { timeout: LONG }).toMatchObject(refused);
        // Where the first process can be made, and those that it makes cannot.
        const echoAlone = () => {
          limitProcesses(server, tasksOf(UID) + 1);
          return echo();
        };
        if (place !== "off")
          await expect.poll(echoAlone, { timeout: LONG }).toMatchObject({ code: "ENGINE_UNAVAILABLE" });

        limitProcesses(server, tasksOf(UID) + 100);
        // A shell that waited for the next command has the limit of its start.
        await expect.poll(echo, { timeout: LONG }).toMatchObject({ data: { stdout: "here\n" } });
        expect(await start(false)).toMatchObject({ state: "running" });
      });
    });
  }
});

/** Tells whether a program that the other user starts ends with 0. */
function asUser(argv: readonly string[]): Promise<boolean> {
  return succeeds("setpriv", [...BECOME.slice(1), ...argv]);
}

/** The soft limit only, as the user himself: whoever is root may lack the right to change another's. */
function limitProcesses(pid: number, count: number): void {
  execaSync("setpriv", [...BECOME.slice(1), "prlimit", "--pid", String(pid), `--nproc=${count}:`]);
}

function pidsOf(uid: number): string[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => new RegExp(`^Uid:\t${uid}\t`, "m").test(textOf(`/proc/${pid}/status`)));
}

/** As the kernel counts for RLIMIT_NPROC: threads. */
function tasksOf(uid: number): number {
  const threads = pidsOf(uid).map((pid) => /^Threads:\t(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1]);
  return threads.reduce((sum, count) => sum + Number(count ?? 0), 0);
}

function commandOf(pid: string): string {
  return textOf(`/proc/${pid}/cmdline`);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
