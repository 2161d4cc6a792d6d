import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLinuxOps } from "@llmc/linux-ops";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, expectTypeOf, vi } from "vitest";
import { greeter } from "./programs/greeter.js";
import { connectHttp, connectStdio, startHttp, test } from "./servers.js";

const program = (name: string) => [
  "--conditions=llmc-source",
  "--import",
  "tsx",
  join(import.meta.dirname, "programs", name),
];

/** The module's own record of its life. */
function lives(log: string): string[] {
  return existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : [];
}

async function textOf(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args });
  return (content as { text: string }[]).map(({ text }) => text).join("\n");
}

/** Fails unless both modules are listed, called and in the health report. */
async function demandBoth(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["linux_fs_read", "greeter_greet"]));
  expect(await textOf(client, "greeter_greet", { name: "Ada" })).toBe("Hello Ada, you are number 1");
  expect(await textOf(client, "linux_fs_read", { path: "file" })).toContain("of the linux tools");
  expect((await client.callTool({ name: "health", arguments: {} })).structuredContent).toMatchObject({
    ok: true,
    engines: { greeter: "1 greeted", content: expect.anything() },
  });
}

test("over stdio a module beside linux-ops is listed, called, in the health report, and closed", async ({
  root,
  home,
}) => {
  writeFileSync(join(root, "file"), "of the linux tools\n");
  const log = join(home, "greeter.log");
  const { client } = await connectStdio(root, home, "e2e", [], [], program("greeter-stdio.ts"));
  await demandBoth(client);
  await vi.waitFor(() => expect(lives(log)).toEqual([`open ${root}`, "sweep"]), 20_000);
  await client.close();
  await vi.waitFor(() => expect(lives(log).at(-1)).toBe("close after 1"), 20_000);
});

test("over HTTP a module learns of the end of an MCP session, answers POST /tool, and is closed", async ({
  root,
  home,
}) => {
  writeFileSync(join(root, "file"), "of the linux tools\n");
  const log = join(home, "greeter.log");
  const server = await startHttp(root, home, [], [], program("greeter-http.ts"));
  const client = await connectHttp(server);
  await demandBoth(client);
  const { status, body } = await server.post("/tool", {
    session_id: "rest",
    name: "greeter.greet",
    args: { name: "Grace" },
  });
  expect([status, body["data"]]).toEqual([
    200,
    { text: "Hello Grace", nth: 2, root, owner: expect.stringContaining("rest") },
  ]);
  const { structuredContent } = await client.callTool({ name: "greeter_greet", arguments: { name: "Alan" } });
  const { owner } = structuredContent as { owner: string };
  await (client.transport as StreamableHTTPClientTransport).terminateSession();
  await vi.waitFor(() => expect(lives(log)).toContain(`end of ${owner}`), 20_000);
  await client.close();
  expect(await server.stop()).toBe(0);
  expect(lives(log).at(-1)).toBe("close after 3");
});

test("the library knows names, arguments and results of a module's tools beside the linux ones", async ({ root }) => {
  writeFileSync(join(root, "file"), "of the linux tools\n");
  const log = join(mkdtempSync(join(root, "log-")), "greeter.log");
  const ops = createLinuxOps({ roots: [root], modules: [greeter(log)] });
  const greeting = await ops.call("greeter.greet", { name: "Ada" });
  expectTypeOf(greeting).toEqualTypeOf<{ text: string; nth: number; owner: string; root: string }>();
  expect(greeting).toMatchObject({ text: "Hello Ada", nth: 1, root });
  const { content, meta } = await ops.call("linux.fs_read", { path: "file" });
  expectTypeOf(meta.total_lines).toEqualTypeOf<number>();
  expect(content).toBe("of the linux tools\n");
  // @ts-expect-error a wrong argument
  await expect(ops.call("greeter.greet", { name: 1 })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  // @ts-expect-error an unknown tool
  await expect(ops.call("greeter.gret", {})).rejects.toThrow("Unknown tool");
  expect((await ops.call("health", {})).engines["greeter"]).toBe("1 greeted");
  expect(ops.tools.map(({ name }) => name)).toContain("greeter_greet");
  await ops.close();
  expect([lives(log)[0], lives(log).at(-1)]).toEqual([`open ${root}`, "close after 1"]);
});
