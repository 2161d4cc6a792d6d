import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { McpError } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, describe, expect, test } from "vitest";
import { createDemo, PICTURE, type DemoOptions } from "./demo.js";
import { connect, CONNECTION, type Connected } from "./in-memory.js";

const open: Connected[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]();
});

async function start(options: DemoOptions = {}, name = "test") {
  const demo = createDemo(options);
  const connected = await connect(demo, { name });
  open.push(connected);
  return { demo, ...connected };
}

const names = async (client: Client) => (await client.listTools()).tools.map((tool) => tool.name);
const structured = { content: "text of /srv/data/a\n", handle: null };
const text = "[/srv/data/a]\ntext of /srv/data/a\n";

describe("the handshake", () => {
  test("tells who the server is and what it can do", async () => {
    const { client, demo } = await start({}, "cursor-vscode");
    expect(client.getServerVersion()).toEqual({ name: "linuxops", title: "LLMC LinuxOps", version: "1.2.3" });
    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {} });
    expect(client.getInstructions()).toContain("/srv/data");
    expect(demo.clients).toEqual([[{ name: "cursor-vscode", version: "9.9" }, "session-1"]]);
  });
});

describe("the listing", () => {
  test("shows a tool with what a model needs, its underscore name first", async () => {
    const { client } = await start();
    const { tools, nextCursor } = await client.listTools();
    expect(nextCursor).toBeUndefined();
    expect(tools[0]).toEqual({
      name: "linux_fs_read",
      title: "linux.fs_read",
      description: "Read a text file.",
      inputSchema: {
        type: "object",
        properties: {
          path: { type: "string" },
          limit: { type: "integer", maximum: 2000, default: 200 },
        },
        required: ["path"],
      },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
  });

  test("keeps the catalogue's order and leaves out what its toolset does not list", async () => {
    const { client } = await start();
    expect(await names(client)).toEqual([
      "linux_fs_read",
      "linux_sys_snapshot",
      "linux_fs_delete",
      "linux_slow",
      "linux_crash",
    ]);
  });

  test("leaves out what the operator closed", async () => {
    const { client } = await start({ mcp: { tools: { read_only: true, deny: ["linux_crash"] } } });
    expect(await names(client)).toEqual(["linux_fs_read", "linux_sys_snapshot"]);
  });

  test("takes a cursor and gives the one page there is", async () => {
    const { client } = await start();
    expect((await client.listTools({ cursor: "abc" })).tools).toEqual((await client.listTools()).tools);
  });

  test.each([
    ["underscore", "gemini-cli-mcp-client", "linux_fs_read"],
    ["dotted", "claude-ai", "linux.fs_read"],
    ["auto", "claude-ai", "linux_fs_read"],
    ["auto", "Visual Studio Code - Insiders", "linux_fs_read"],
    ["auto", "Codex (via mcp-remote 0.15.1)", "linux_fs_read"],
    ["auto", "gemini-cli-mcp-client", "linux.fs_read"],
    ["auto", "my agent", "linux.fs_read"],
  ] as const)("with names = %s shows %s the name %s", async (form, clientName, expected) => {
    const { client } = await start({ mcp: { tools: { names: form } } }, clientName);
    expect((await names(client))[0]).toBe(expected);
  });

  test("shows output schemas only where they are switched on", async () => {
    const { client: without } = await start();
    expect((await without.listTools()).tools.filter((tool) => tool.outputSchema !== undefined)).toEqual([]);
    const { client } = await start({ mcp: { tools: { output_schemas: true } } });
    expect((await client.listTools()).tools[1]?.outputSchema).toEqual({
      type: "object",
      properties: { cpu_percent: { type: "number" }, host: { type: "string" } },
      required: ["cpu_percent", "host"],
    });
  });
});

describe("a call", () => {
  test.each(["underscore", "dotted"] as const)("takes both forms of a name when %s is listed", async (form) => {
    const { client } = await start({ mcp: { tools: { names: form } } });
    const call = (name: string) => client.callTool({ name, arguments: { path: "/srv/data/a" } });
    expect(await call("linux_fs_read")).toEqual(await call("linux.fs_read"));
  });

  test("reaches what is merely unlisted", async () => {
    const { client } = await start();
    expect(await client.callTool({ name: "plain" })).toMatchObject({ structuredContent: { ok: true } });
  });

  test("of a record tool carries the payload twice: as it is and as compact JSON", async () => {
    const { client } = await start({}, "claude-code");
    expect(await client.callTool({ name: "linux_sys_snapshot" })).toEqual({
      content: [{ type: "text", text: '{"cpu_percent":1.5,"host":"box"}' }],
      structuredContent: { cpu_percent: 1.5, host: "box" },
    });
  });

  test.each([
    ["auto", "my program", true],
    ["auto", "claude-ai", true],
    ["auto", "cursor-vscode", true],
    ["auto", "claude-code", false],
    ["auto", "Codex", false],
    ["auto", "Visual Studio Code", false],
    ["auto", "opencode", false],
    ["auto", "github-copilot-developer", false],
    ["auto", "JetBrains-IU/copilot-intellij", false],
    ["both", "claude-code", true],
    ["text", "my program", false],
  ] as const)("of a text tool with results = %s gives %s structuredContent: %s", async (results, name, both) => {
    const { client } = await start({ mcp: { tools: { results } } }, name);
    expect(await client.callTool({ name: "linux_fs_read", arguments: { path: "/srv/data/a" } })).toEqual({
      content: [{ type: "text", text }],
      ...(both ? { structuredContent: structured } : {}),
    });
  });

  test("gives every client structuredContent once output schemas are listed", async () => {
    const { client } = await start({ mcp: { tools: { output_schemas: true, results: "text" } } }, "claude-code");
    await client.listTools();
    expect(await client.callTool({ name: "linux_fs_read", arguments: { path: "/srv/data/a" } })).toEqual({
      content: [{ type: "text", text }],
      structuredContent: structured,
    });
  });

  // What these clients show a model in place of the content has no images.
  test.each([
    ["auto", false, "my program", true],
    ["auto", false, "claude-ai", true],
    ["auto", false, "claude-code", false],
    ["both", false, "claude-code", false],
    ["both", false, "codex", false],
    ["both", false, "my program", true],
    ["text", false, "my program", false],
    ["text", true, "claude-code", true],
  ] as const)(
    "with an image, results = %s and output_schemas = %s, sends %s its bytes once, as an image; structuredContent: %s",
    async (results, output_schemas, name, both) => {
      const { client } = await start({ mcp: { tools: { results, output_schemas } } }, name);
      await client.listTools();
      expect(await client.callTool({ name: "linux_picture" })).toEqual({
        content: [{ type: "text", text: "[a dot]" }, PICTURE],
        ...(both ? { structuredContent: { content: "a dot", image: {} } } : {}),
      });
    },
  );

  test("belongs to the session of its connection, under the client's name", async () => {
    const { client, demo } = await start({}, "cursor-vscode");
    await client.callTool({ name: "linux_sys_snapshot" });
    expect(demo.contexts[0]).toMatchObject({
      entry: "stdio",
      session: {
        id: CONNECTION.id,
        agentId: "cursor-vscode",
        model: "unknown",
        client: "cursor-vscode",
        token: CONNECTION.token,
        owner: CONNECTION.owner,
      },
    });
  });

  test("is labelled by _meta.llmc, which cannot name another session or owner", async () => {
    const { client, demo } = await start();
    await client.callTool({
      name: "linux_sys_snapshot",
      _meta: {
        llmc: {
          agent_id: "planner",
          model: "m-1",
          budget_profile: "night",
          session_id: "other",
          owner: "root",
          token: "x",
        },
      },
    });
    expect(demo.contexts[0]?.session).toEqual({
      id: CONNECTION.id,
      agentId: "planner",
      model: "m-1",
      client: "test",
      budgetProfile: "night",
      token: CONNECTION.token,
      owner: CONNECTION.owner,
    });
  });

  test("with labels that are no text falls back to the client and the defaults", async () => {
    const { client, demo } = await start({}, "c".repeat(500));
    await client.callTool({ name: "linux_sys_snapshot", _meta: { llmc: { agent_id: 7, model: { a: 1 } } } });
    await client.callTool({ name: "linux_sys_snapshot", _meta: { llmc: null } });
    expect(demo.contexts.map(({ session }) => [session.agentId, session.model])).toEqual([
      ["c".repeat(100), "unknown"],
      ["c".repeat(100), "unknown"],
    ]);
  });
});

describe("a failure", () => {
  const envelope = {
    code: "NOT_FOUND",
    message: "/srv/data/missing does not exist",
    hint: "List the folder.",
    correlation_id: expect.stringMatching(/^[0-9a-f]{8}$/) as unknown,
  };
  const content = [{ type: "text", text: "NOT_FOUND: /srv/data/missing does not exist\nHint: List the folder." }];
  const missing = { name: "linux_fs_read", arguments: { path: "/srv/data/missing" } };

  test.each(["my program", "claude-code"])("is text and envelope for %s", async (name) => {
    const { client, demo } = await start({}, name);
    const result = await client.callTool(missing);
    expect(result).toEqual({ content, structuredContent: envelope, isError: true });
    expect(result.structuredContent).toHaveProperty("correlation_id", demo.records[0]?.correlationId);
  });

  test("does not break a client that holds it against a listed output schema", async () => {
    const { client } = await start({ mcp: { tools: { output_schemas: true } } });
    await client.listTools();
    expect(await client.callTool(missing)).toEqual({ content, isError: true, _meta: { "llmc/error": envelope } });
  });

  test("of the arguments names the field and what is allowed", async () => {
    const { client } = await start();
    const result = await client.callTool({ name: "linux_fs_read", arguments: { path: "/a", limit: 5000 } });
    expect(result.content).toEqual([
      { type: "text", text: "INVALID_ARGUMENT: linux_fs_read: limit is 5000; it must be at most 2000" },
    ]);
  });

  test("of a handler that crashes shows nothing of the cause, and the server lives", async () => {
    const { client } = await start();
    const crashed = await client.callTool({ name: "linux_crash" });
    expect(crashed).toMatchObject({ isError: true, structuredContent: { code: "INTERNAL" } });
    expect(JSON.stringify(crashed)).not.toContain("secret");
    expect(await client.callTool({ name: "linux_sys_snapshot" })).not.toHaveProperty("isError");
  });

  test("of the operator's making names the switch", async () => {
    const { client } = await start({ mcp: { tools: { deny: ["linux.fs_delete"] } } });
    expect(await client.callTool({ name: "linux_fs_delete", arguments: { path: "/a" } })).toMatchObject({
      structuredContent: { code: "FEATURE_DISABLED", hint: "The operator can change mcp.tools.deny." },
    });
  });

  test("to name a tool is JSON-RPC's own, with the nearest name, and is recorded", async () => {
    const { client, demo } = await start();
    const refused = (await client
      .callTool({ name: "linux_fs_raed", arguments: {} })
      .catch((e: unknown) => e)) as McpError;
    expect([refused.code, refused.message]).toEqual([
      -32602,
      'MCP error -32602: Unknown tool "linux_fs_raed"\nHint: Did you mean linux_fs_read?',
    ]);
    expect(refused.data).toEqual({
      code: "INVALID_ARGUMENT",
      message: 'Unknown tool "linux_fs_raed"',
      hint: "Did you mean linux_fs_read?",
      unknown_tool: "linux_fs_raed",
      correlation_id: demo.records[0]?.correlationId,
    });
    expect(demo.records).toMatchObject([{ tool: "linux_fs_raed", status: "INVALID_ARGUMENT" }]);
  });

  test("to name any tool at all says what is needed", async () => {
    const { client } = await start();
    const send = client.request({ method: "tools/call", params: { arguments: {} } }, {} as never);
    await expect(send).rejects.toMatchObject({
      code: -32602,
      data: { code: "BAD_ARGS", message: "tools/call needs a name" },
    });
  });

  test("to name a method we have is answered with the nearest one", async () => {
    const { client } = await start();
    await expect(client.request({ method: "tool/list" }, {} as never)).rejects.toMatchObject({
      code: -32601,
      data: { code: "BAD_ARGS", message: 'There is no method "tool/list"', hint: "Did you mean tools/list?" },
    });
  });
});
