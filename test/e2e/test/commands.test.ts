import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { expect } from "vitest";
import { connectHttp, connectStdio, startHttp, test } from "./servers.js";

const WITHOUT_SANDBOX = [
  "--set",
  "mcp.linux_ops.commands.sandbox=off",
  "--set",
  "mcp.tools.run_cmd_allowlist=bash,cat,ls",
];

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  return (await client.callTool({ name, arguments: args })).structuredContent as Record<string, unknown>;
}

test("run_cmd runs allowlisted programs over every entry, with a timeout and its output (002-2.5, 004-FR-3, 004-NFR-3)", async ({
  root,
  home,
}) => {
  writeFileSync(join(root, "a.txt"), "hello\n");
  const http = await startHttp(root, home, WITHOUT_SANDBOX);
  const stdio = await connectStdio(root, home, "e2e", WITHOUT_SANDBOX);
  const overHttp = await connectHttp(http);
  const expected = { stdout: "hello\n", stderr: "", exit_code: 0 };

  for (const client of [stdio.client, overHttp]) {
    expect((await call(client, "run_cmd", { command: "cat a.txt" }))["data"]).toEqual(expected);
    expect(await call(client, "run_cmd", { command: "id" })).toMatchObject({ code: "COMMAND_NOT_ALLOWED" });
    expect(await call(client, "run_cmd", { command: "ls", cwd: "/etc" })).toMatchObject({ code: "INVALID_PATH" });
  }
  const rest = async (args: Record<string, unknown>) =>
    await http.post("/tool", { session_id: "s", name: "run_cmd", args });
  expect((await rest({ command: "cat a.txt" })).body["data"]).toEqual(expected);
  expect((await rest({ command: "echo partial; sleep 600", timeout: 1 })).body["data"]).toEqual({
    stdout: "partial\n",
    stderr: "",
    exit_code: 124,
  });
  expect(await rest({ command: "id" })).toMatchObject({ status: 403, body: { code: "COMMAND_NOT_ALLOWED" } });

  await overHttp.close();
  await stdio.client.close();
  await http.stop();
});

test("EXEC_CLI runs a line of shell and says how it went (003-1)", async ({ root, home }) => {
  const { client } = await connectStdio(root, home, "e2e", WITHOUT_SANDBOX);

  expect(await call(client, "EXEC_CLI", { command: "echo a | tr a b; exit 3" })).toMatchObject({
    stdout: "b\n",
    exit_code: 3,
    status: "ERROR",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
  await client.close();
});

const QUICK = [...WITHOUT_SANDBOX, "--set", "mcp.tools.exec_timeout=1"];
const slow = { command: ["bash", "-c", "echo one; sleep 3; echo two; exit 3"] };

test("over MCP a long command is handed over, and lives on as a managed process", async ({ root, home }) => {
  const http = await startHttp(root, home, QUICK);
  const stdio = await connectStdio(root, home, "e2e", QUICK);
  const overHttp = await connectHttp(http);

  for (const client of [stdio.client, overHttp]) {
    const { data } = (await call(client, "run_cmd", slow)) as { data: { proc_id: string } };
    expect(data).toMatchObject({ stdout: "one\n", exit_code: null, status: "RUNNING", proc_id: expect.any(String) });
    // Comes when the program has ended: it never prints that.
    const read = { proc_id: data.proc_id, wait_for: "three", timeout_ms: 20_000 };
    const ended = await call(client, "linux_proc_read", read);
    expect(ended).toMatchObject({ state: "exited", exit_code: 3 });
    expect(JSON.stringify(ended)).toMatch(/two/);
  }
  // Nobody comes back for it there: the timeout ends it.
  const rest = await http.post("/tool", { session_id: "s", name: "run_cmd", args: slow });
  expect(rest.body["data"]).toMatchObject({ stdout: "one\n", exit_code: 124 });

  await overHttp.close();
  await stdio.client.close();
  await http.stop();
});

test.for([["mcp.linux_ops.features.repl_enabled=false"], ["mcp.linux_ops.process_limits.max_procs_per_session=0"]])(
  "with %s a long command is ended instead",
  async ([setting = ""], { root, home }) => {
    const { client } = await connectStdio(root, home, "e2e", [...QUICK, "--set", setting]);
    expect(await call(client, "run_cmd", slow)).toMatchObject({ data: { stdout: "one\n", exit_code: 124 } });
    await client.close();
  },
);

test("a timeout that the call named ends the command after it was handed over too", async ({ root, home }) => {
  const args = [...WITHOUT_SANDBOX, "--set", "mcp.linux_ops.process_limits.auto_background_after=1"];
  const { client } = await connectStdio(root, home, "e2e", args);

  const begun = await call(client, "EXEC_CLI", { command: "echo one; sleep 600", timeout: 2 });
  expect(begun).toMatchObject({ status: "RUNNING", stdout: "one\n", exit_code: null });
  const read = { proc_id: begun["proc_id"], wait_for: "never printed", timeout_ms: 20_000 };
  expect(await call(client, "linux_proc_read", read)).toMatchObject({ state: "exited" });
  await client.close();
});

/** Runs a program in a user namespace that allows no further namespaces, like a container. */
const NO_NAMESPACES = [
  ...["unshare", "--user", "--map-root-user", "sh", "-c"],
  'for each in user mnt pid; do echo 0 >/proc/sys/user/max_${each}_namespaces || exit 1; done; exec "$@"',
  "sh",
];
const hasUserNamespaces = spawnSync(NO_NAMESPACES[0] as string, [...NO_NAMESPACES.slice(1), "true"]).status === 0;
if (!hasUserNamespaces) console.warn("skipped: this user may make no namespaces here");

test.skipIf(!hasUserNamespaces)(
  "a machine that cannot hold commands says so once at start and in health, and a command is told the way out",
  async ({ root, home }) => {
    const told = "Commands are off: user namespaces are switched off (user.max_user_namespaces = 0)";
    const { client, stderr } = await connectStdio(root, home, "e2e", [], NO_NAMESPACES);
    await expect.poll(stderr, { timeout: 20_000, interval: 20 }).toContain(told);

    const health = await call(client, "health", {});
    expect(health).toMatchObject({ ok: false, problems: [expect.stringContaining(told)] });
    const refused = await client.callTool({ name: "run_cmd", arguments: { command: "true" } });
    expect(refused.structuredContent).toMatchObject({
      code: "ENGINE_UNAVAILABLE",
      message: told,
      hint: expect.stringMatching(/or set commands\.sandbox = "off"\.$/),
    });
    expect(stderr().split(told)).toHaveLength(2);
    await client.close();

    const off = await connectStdio(root, home, "e2e", ["--read-only"], NO_NAMESPACES);
    expect(await call(off.client, "health", {})).toMatchObject({ ok: true, problems: [] });
    await off.client.close();
  },
);
