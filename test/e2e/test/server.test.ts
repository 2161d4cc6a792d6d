import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { envelopeModule } from "@llmc/envelope";
import { linuxTools } from "@llmc/linux-ops";
import { expect } from "vitest";
import { connectHttp, connectStdio, startHttp, test, TOKEN } from "./servers.js";

test("every listed tool comes from the one table, with short schemas and all hints (002-X-1)", async ({
  http,
  stdio,
}) => {
  const overHttp = await connectHttp(http);
  const [first, second] = await Promise.all([stdio.client.listTools(), overHttp.listTools()]);
  expect(first.tools).toEqual(second.tools);
  // By default: two toolsets are not listed, and logs are switched off.
  const unlisted: readonly string[] = ["compat", "linuxagent"];
  const listed = [...linuxTools, ...envelopeModule.tools]
    // te_run stands for run_cmd.
    .filter((tool) => !unlisted.includes(tool.toolset) && !["linux.sys_logs", "run_cmd"].includes(tool.name))
    .map((tool) => tool.name);
  // A name without a dot is its own title.
  expect(first.tools.map(({ title, name }) => title ?? name)).toEqual(listed);
  for (const { annotations } of first.tools) {
    expect(Object.keys(annotations ?? {}).toSorted()).toEqual([
      "destructiveHint",
      "idempotentHint",
      "openWorldHint",
      "readOnlyHint",
    ]);
  }
  await overHttp.close();
});

test("settings come from llmc.toml, with the roots it names (002-2.1, 002-L1-1)", async ({ root, home }) => {
  const file = join(home, "llmc.toml");
  writeFileSync(
    file,
    `[mcp.tools]\nnames = "dotted"\n[mcp.linux_ops.roots]\nallowed_roots = [${JSON.stringify(root)}]\n`,
  );
  writeFileSync(join(root, "a.txt"), "x\n");
  const { client } = await connectStdio(root, home, "e2e", ["--config", file]);
  expect((await client.listTools()).tools.map((tool) => tool.name)).toContain("linux.fs_read");
  await client.close();
});

test("a failure is the envelope with its code and a correlation id on every transport (002-2.2, 004-FR-7)", async ({
  http,
  stdio,
}) => {
  const result = await stdio.client.callTool({ name: "linux_fs_read", arguments: { path: "/etc/shadow" } });
  const envelope = {
    code: "INVALID_PATH",
    message: expect.any(String),
    hint: expect.any(String),
    correlation_id: expect.stringMatching(/^[0-9a-f]{8}$/),
  };
  expect(result).toMatchObject({ isError: true, structuredContent: envelope });
  const { status, body } = await http.post("/tool", {
    session_id: "s",
    name: "linux.fs_read",
    args: { path: "/etc/shadow" },
  });
  expect([status, body]).toEqual([403, envelope]);
  const given = await http.post("/tool", "{", { "x-correlation-id": "mine-1" });
  expect([given.status, given.body["code"], given.body["correlation_id"]]).toEqual([400, "BAD_ARGS", "mine-1"]);
});

test("without the token nothing but /health answers (004-FR-2)", async ({ http }) => {
  const health = await fetch(`${http.url}/health`);
  expect([health.status, await health.text()]).toEqual([200, '{"ok":true,"version":"v0"}']);
  for (const headers of [{}, { authorization: "Bearer wrong" }, { "x-llmc-token": "" }] as Record<string, string>[]) {
    for (const path of ["/mcp", "/tool"]) {
      const answer = await fetch(`${http.url}${path}`, { method: "POST", headers, body: "{}" });
      expect([path, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        path,
        401,
        "AUTH_FAILED",
      ]);
    }
  }
  const byHeader = await http.post(
    "/tool",
    { session_id: "s", name: "health", args: {} },
    { authorization: "", "x-llmc-token": TOKEN },
  );
  expect(byHeader.status).toBe(200);
});

test("a service logs the effective configuration without its secrets, stdio says one line (004-NFR-4)", async ({
  http,
  stdio,
  root,
}) => {
  await stdio.client.ping();
  expect(http.stderr()).toMatch(/^\{.*"mcp".*"roots".*\}$/m);
  expect(stdio.stderr()).toMatch(new RegExp(`^llmc-mcp-stdio: \\S+ · config none · data \\S+ · roots ${root}$`, "m"));
  expect(stdio.stderr()).not.toContain('"configuration"');
  for (const log of [http.stderr(), stdio.stderr()]) expect(log).not.toContain(TOKEN);
});

test("each call leaves a record in the log and in the database, private to the user (002-X-4)", async ({
  root,
  home,
}) => {
  const server = await startHttp(root, home);
  await server.post(
    "/tool",
    { session_id: "s", name: "linux.fs_read", args: { path: "/etc/shadow" } },
    { "x-correlation-id": "seen-1" },
  );
  expect(await server.stop()).toBe(0);
  const line = server
    .stderr()
    .split("\n")
    .find((text) => text.includes('"seen-1"') && text.includes('"tool"'));
  expect(JSON.parse(line ?? "{}")).toMatchObject({
    tool: "linux.fs_read",
    status: "INVALID_PATH",
    correlation_id: "seen-1",
  });
  const dataDir = join(home, ".local/state/llmc");
  const files = readdirSync(dataDir).filter((file) => file.startsWith("linuxops.db"));
  expect(files).toContain("linuxops.db");
  for (const file of files) expect((statSync(join(dataDir, file)).mode & 0o777).toString(8)).toBe("600");
  expect(files.map((file) => readFileSync(join(dataDir, file), "latin1")).join("")).toContain("seen-1");
});
