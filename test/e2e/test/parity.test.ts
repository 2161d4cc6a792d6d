import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { expect } from "vitest";
import { connectHttp, numbered, test, type Fixtures } from "./servers.js";

interface Outcome {
  readonly code: string;
  readonly payload?: unknown;
}

/** What differs by design: whose handle it is, which call it was, how long the server has been up. */
function comparable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replaceAll(/H_(\w+?)_\d{8}T\d{6}Z_[a-z2-7]{20}/g, "H_$1")
      .replaceAll(/\bh\d{6}\b/g, "h")
      .replaceAll(/"uptime_sec":\d+/g, '"uptime_sec":0')
      .replaceAll(/"driver":"[^"]+"/g, '"driver":""'),
  );
}

async function overMcp(client: Client, name: string, args: object): Promise<Outcome> {
  const result = await client.callTool({ name, arguments: args as Record<string, unknown> });
  const structured = result.structuredContent as Record<string, unknown>;
  return result.isError === true
    ? { code: String(structured["code"]) }
    : { code: "ok", payload: comparable(structured) };
}

async function overRest({ http }: Pick<Fixtures, "http">, name: string, args: object): Promise<Outcome> {
  const { status, body } = await http.post("/tool", { session_id: "s", name, args });
  if (status === 200) return { code: "ok", payload: comparable(body["data"]) };
  // The one difference that the contract names.
  return { code: body["code"] === "BAD_ARGS" ? "INVALID_ARGUMENT" : String(body["code"]) };
}

async function overLibrary({ library }: Pick<Fixtures, "library">, name: string, args: object): Promise<Outcome> {
  return library.call(name as never, args as never).then(
    (payload) => ({ code: "ok", payload: comparable(payload) }),
    (error: { code: string }) => ({ code: error.code }),
  );
}

const CASES: readonly (readonly [what: string, name: string, args: (root: string) => object, code: string])[] = [
  ["a slice", "linux.fs_read", (root) => ({ path: join(root, "long"), offset_lines: 5, max_lines: 3 }), "ok"],
  ["a truncated file", "linux_fs_read", (root) => ({ path: join(root, "long") }), "ok"],
  ["several files", "linux.fs_read", (root) => ({ paths: [join(root, "long"), join(root, "gone")] }), "ok"],
  ["a relative path", "linux.fs_read", () => ({ path: "long", max_lines: 1 }), "ok"],
  ["a listing", "linux.fs_list", (root) => ({ path: root, depth: 1 }), "ok"],
  ["a cut listing", "linux_fs_list", (root) => ({ path: root, max_entries: 1 }), "ok"],
  ["a listed file", "linux.fs_list", () => ({ path: "long" }), "NOT_A_DIRECTORY"],
  ["health", "health", () => ({}), "ok"],
  ["outside", "linux.fs_read", () => ({ path: "/etc/passwd" }), "INVALID_PATH"],
  ["missing", "linux.fs_read", (root) => ({ path: join(root, "gone") }), "NOT_FOUND"],
  ["a folder", "linux.fs_read", (root) => ({ path: join(root, "dir") }), "IS_DIRECTORY"],
  ["a binary file", "linux.fs_read", (root) => ({ path: join(root, "bin") }), "UNSUPPORTED_CONTENT"],
  ["a wrong argument", "linux.fs_read", (root) => ({ path: join(root, "long"), max_lines: 9999 }), "INVALID_ARGUMENT"],
  ["an unknown argument", "linux.fs_read", (root) => ({ path: join(root, "long"), limit: 3 }), "INVALID_ARGUMENT"],
  ["an unknown handle", "linux.handle_read", () => ({ handle: "H_x" }), "HANDLE_NOT_FOUND"],
];

test("the library, MCP over stdio, MCP over HTTP and POST /tool answer alike (002-4, 002-5.2)", async ({
  root,
  http,
  stdio,
  library,
}) => {
  writeFileSync(join(root, "long"), numbered(300));
  writeFileSync(join(root, "bin"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0]));
  mkdirSync(join(root, "dir"));
  const overHttp = await connectHttp(http);
  for (const [what, name, argsIn, code] of CASES) {
    const args = argsIn(root);
    const expected = await overLibrary({ library }, name.replace("linux_", "linux."), args);
    expect([what, expected.code]).toEqual([what, code]);
    expect([what, await overMcp(stdio.client, name, args)]).toEqual([what, expected]);
    expect([what, await overMcp(overHttp, name, args)]).toEqual([what, expected]);
    expect([what, await overRest({ http }, name, args)]).toEqual([what, expected]);
  }
  await overHttp.close();
});

test("an unknown tool is -32602 in MCP, BAD_ARGS in REST and INVALID_ARGUMENT in the library, with the nearest name", async ({
  http,
  stdio,
  library,
}) => {
  const overHttp = await connectHttp(http);
  for (const client of [stdio.client, overHttp]) {
    await expect(client.callTool({ name: "linux_fs_raed", arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("Did you mean linux_fs_read?"),
    });
  }
  const { status, body } = await http.post("/tool", { session_id: "s", name: "linux_fs_raed", args: {} });
  expect([status, body["code"], body["hint"]]).toEqual([422, "BAD_ARGS", "Did you mean linux.fs_read?"]);
  await expect(library.call("linux_fs_raed" as never, {} as never)).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    hint: "Did you mean linux.fs_read?",
  });
  await overHttp.close();
});
