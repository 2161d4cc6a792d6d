import { randomBytes } from "node:crypto";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { describe, expect, test } from "vitest";
import { readHandle } from "../src/endpoint/handle-resource.js";
import { createDemo, type Demo } from "./demo.js";
import { connect, CONNECTION } from "./in-memory.js";

const MIB = 1024 * 1024;
const uri = "linuxops://handle/H_text_1";

async function start(payload?: Buffer, without: readonly string[] = [], deny: string[] = []) {
  const demo = createDemo({ without, mcp: { tools: { deny } } });
  if (payload !== undefined) demo.handles.set(`${CONNECTION.owner} H_text_1`, payload);
  const { client } = await connect(demo);
  return { demo, client };
}

const read = async (client: Client, wanted = uri) => (await client.readResource({ uri: wanted })).contents;
const offsets = (demo: Demo) => demo.records.map(({ tool, facts, args }) => [tool, args, facts] as const);

describe("a handle as a resource", () => {
  test("is found by its template alone", async () => {
    const { client } = await start(Buffer.from("x"));
    expect(await client.listResources()).toEqual({ resources: [] });
    expect(await client.listResourceTemplates()).toEqual({
      resourceTemplates: [
        { uriTemplate: "linuxops://handle/{id}", name: "handle", description: "What stands behind a handle, whole." },
      ],
    });
  });

  test("is read whole, slice by slice, each a recorded call", async () => {
    const payload = Buffer.from("line\n".repeat(300_000));
    const { client, demo } = await start(payload);
    expect(await read(client)).toEqual([{ uri, mimeType: "text/plain", text: payload.toString() }]);
    expect(offsets(demo)).toEqual([
      ["linux.handle_read", { handle: "H_text_1", offset: 0, limit: MIB }, {}],
      ["linux.handle_read", { handle: "H_text_1", offset: MIB, limit: MIB }, {}],
    ]);
  });

  test("is a blob where any of its bytes is no text", async () => {
    const payload = Buffer.concat([Buffer.alloc(MIB + 10, "a"), Buffer.from([0xff, 0x00]), randomBytes(100)]);
    const { client } = await start(payload);
    expect(await read(client)).toEqual([
      { uri, mimeType: "application/octet-stream", blob: payload.toString("base64") },
    ]);
  });

  test("is a blob where only its beginning is no text", async () => {
    const payload = Buffer.concat([Buffer.from([0xff]), Buffer.alloc(MIB + 10, "a")]);
    const { client } = await start(payload);
    expect(await read(client)).toMatchObject([{ blob: payload.toString("base64") }]);
  });

  test("that never comes to its end is not asked for again and again", async () => {
    const stuck = { data: "", encoding: "utf8", next_offset: 0, total_bytes: 7 };
    expect(await readHandle(uri, "H_text_1", async () => stuck, "linux_handle_read")).toHaveLength(2);
  });

  test("that holds nothing is empty", async () => {
    const { client } = await start(Buffer.alloc(0));
    expect(await read(client)).toEqual([{ uri, mimeType: "text/plain", text: "" }]);
  });

  test("beyond four MiB is cut, and says how to go on", async () => {
    const { client } = await start(Buffer.alloc(5 * MIB, "a"));
    const [content, note, ...rest] = (await read(client)) as { text: string }[];
    expect(content?.text).toHaveLength(4 * MIB);
    expect(note?.text).toBe(
      `[cut after ${4 * MIB} of ${5 * MIB} bytes; read on with linux_handle_read, offset=${4 * MIB}]`,
    );
    expect(rest).toEqual([]);
  });

  test.each([
    ["that nobody made", "linuxops://handle/H_text_2", "HANDLE_NOT_FOUND"],
    ["with an id that cannot be", "linuxops://handle/nonsense", "INVALID_ARGUMENT"],
    ["of another kind", "file:///etc/passwd", "NOT_FOUND"],
    ["with a path behind it", "linuxops://handle/H_text_1/../x", "NOT_FOUND"],
  ])("%s is not found", async (_, wanted, code) => {
    const { client } = await start(Buffer.from("x"));
    await expect(read(client, wanted)).rejects.toMatchObject({
      code: -32002,
      data: { code, correlation_id: expect.any(String) as unknown },
    });
  });

  test("of another owner is not found", async () => {
    const { client, demo } = await start();
    demo.handles.set("user:0 H_text_1", Buffer.from("secret"));
    await expect(read(client)).rejects.toMatchObject({ code: -32002, data: { code: "HANDLE_NOT_FOUND" } });
  });

  test("without a uri says what is needed", async () => {
    const { client } = await start();
    await expect(client.request({ method: "resources/read", params: {} }, {} as never)).rejects.toMatchObject({
      code: -32602,
      data: { message: "resources/read needs a uri" },
    });
  });

  test.each([
    ["the tool that reads them is not there", ["linux.handle_read"], []],
    ["the operator closed that tool", [], ["linux.handle_read"]],
  ] as [string, string[], string[]][])("is not offered where %s", async (_, without, deny) => {
    const { client } = await start(Buffer.from("x"), without, deny);
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    expect(client.getInstructions()).not.toContain("handle");
    await expect(client.request({ method: "resources/read", params: { uri } }, {} as never)).rejects.toMatchObject({
      code: -32601,
    });
  });
});
