import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "@llmc/handles";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { expect } from "vitest";
import { connectHttp, connectStdio, test } from "./servers.js";

async function run(client: Client, args: Record<string, unknown>): Promise<string> {
  const { content } = (await client.callTool({ name: "te_run", arguments: args })) as { content: { text: string }[] };
  return content[0]?.text ?? "";
}

/** A repository with five wrong functions and a test for each. */
const WRONG = { add: "a - b", sub: "a + b", mul: "a / b", div: "a * b", rest: "a & b" };
const RIGHT: Readonly<Record<string, string>> = {
  add: "a + b",
  sub: "a - b",
  mul: "a * b",
  div: "a / b",
  rest: "a % b",
};
const WANTED: Readonly<Record<string, number>> = { add: 9, sub: 5, mul: 14, div: 3.5, rest: 1 };

function makeRepository(root: string): void {
  mkdirSync(join(root, "calc"));
  const code = Object.entries(WRONG).map(([name, body]) => `export const ${name} = (a, b) => ${body};\n`);
  const cases = Object.entries(WANTED).map(
    ([name, wanted]) => `test("${name} is right", () => assert.equal(calc.${name}(7, 2), ${wanted}));\n`,
  );
  const passing = Array.from({ length: 60 }, (_, at) => `test("holds ${at}", () => assert.ok(true));\n`);
  writeFileSync(join(root, "calc/calc.mjs"), code.join(""));
  writeFileSync(
    join(root, "calc/calc.test.mjs"),
    `import test from "node:test";\nimport assert from "node:assert/strict";\nimport * as calc from "./calc.mjs";\n${cases.join("")}${passing.join("")}`,
  );
}

test("an agent's loop of edits and tests goes from five failures to green by te_run alone", async ({ stdio, root }) => {
  makeRepository(root);
  const command = "node --test --test-reporter=tap";
  const fixed: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    const text = await run(stdio.client, { command, cwd: "calc" });
    expect(text).toMatch(/^\[exit 1 · \d+ lines cut: linux_handle_read h\d{6} match\]\n/);
    expect(text).toContain(`# fail ${5 - round}`);
    expect(text).not.toContain("holds 17");
    // The text alone tells the failing test and its place.
    const [, name = ""] = /not ok \d+ - (\w+) is right/.exec(text) ?? [];
    expect(text).toMatch(/calc\.test\.mjs:\d+:/);
    const body = RIGHT[name] ?? "";
    const edit = `sed -i 's|const ${name} = .*|const ${name} = (a, b) => ${body};|' calc.mjs`;
    expect(await run(stdio.client, { command: edit, cwd: "calc" })).toBe("[exit 0]\n");
    fixed.push(name);
  }
  expect(new Set(fixed)).toEqual(new Set(Object.keys(WRONG)));
  const green = await run(stdio.client, { command, cwd: "calc" });
  expect(green).toContain("# pass 65");
  expect(green).toContain("# fail 0");
  expect(green).not.toContain("[exit 1");
});

test("the same answer over HTTP, and the whole payload beside it", async ({ http, root }) => {
  makeRepository(root);
  const client = await connectHttp(http);
  const result = await client.callTool({ name: "te_run", arguments: { command: "node --test", cwd: "calc" } });
  expect(result.structuredContent).toMatchObject({
    success: false,
    mode: "enriched",
    command: "node --test",
    exit_code: 1,
    enrichment: { truncated: true, handle: expect.stringMatching(/^H_cmd_/) },
    telemetry: { latency_ms: expect.any(Number), agent_id: expect.any(String) },
  });
  await client.close();
});

test("who calls reaches the command as environment (004-M5-5)", async ({ stdio }) => {
  const text = await run(stdio.client, { command: "env" });
  expect(text).toMatch(/^TE_AGENT_ID=./m);
  expect(text).toMatch(/^TE_SESSION_ID=./m);
  expect(text).toMatch(/^TE_MODEL=./m);
});

test("te.enabled = false lists run_cmd and leaves te_run raw (004-M5-9)", async ({ root, home }) => {
  const server = await connectStdio(root, home, "e2e", ["--set", "mcp.te.enabled=false"]);
  const { tools } = await server.client.listTools();
  const names = tools.map(({ name }) => name);
  expect(names).toContain("run_cmd");
  expect(names).not.toContain("te_run");
  const lines = Array.from({ length: 200 }, (_, at) => `ok ${at} - part`).join("\n");
  writeFileSync(join(root, "report"), `TAP version 13\n${lines}\n`);
  expect(await run(server.client, { command: "cat report" })).toContain("ok 100 - part");
  await server.client.close();
});

test("a row for each command is kept across restarts, and none where the operator keeps none (004-M5-6)", async ({
  root,
  home,
}) => {
  const commands = ["echo one", "echo two"];
  for (const command of commands) {
    const server = await connectStdio(root, home);
    await run(server.client, { command });
    await server.client.close();
  }
  const silent = await connectStdio(root, home, "e2e", ["--set", "mcp.docker.persist_telemetry=false"]);
  await run(silent.client, { command: "echo three" });
  await silent.client.close();
  const rows = await telemetryRows(join(home, ".local/state/llmc"));
  expect(rows.map(({ command }) => command)).toEqual(commands);
  expect(rows[0]).toMatchObject({ tool: "te_run", mode: "passthrough", client: "e2e", missed: null });
});

async function telemetryRows(dataDir: string): Promise<readonly Record<string, unknown>[]> {
  const database = await openDatabase({ dataDir, warn: () => {} });
  try {
    return await database.openStore<readonly Record<string, unknown>[]>({
      memory: () => Promise.reject(new Error("the database is in memory")),
      sqlite: async ({ orm }) =>
        (orm as { all(query: string): Record<string, unknown>[] }).all("SELECT * FROM te_calls ORDER BY id"),
    });
  } finally {
    await database.close();
  }
}
