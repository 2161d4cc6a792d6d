import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { expect } from "vitest";
import { connectHttp, connectStdio, numbered, test } from "./servers.js";

interface Read {
  content: string;
  handle: string | null;
  meta: { total_lines: number; truncated: boolean; next_offset_lines?: number };
}

async function read(client: Client, args: Record<string, unknown>): Promise<Read> {
  const result = await client.callTool({ name: "linux_fs_read", arguments: args });
  expect(result.isError ?? false).toBe(false);
  return result.structuredContent as Read;
}

test("fs_read serves text of a root, by slices, over both transports (001-R1, 001-R2, 002-3.1.1)", async ({
  root,
  http,
  stdio,
}) => {
  const path = join(root, "notes.txt");
  writeFileSync(path, numbered(500));
  const overHttp = await connectHttp(http);
  for (const client of [stdio.client, overHttp]) {
    const { content, meta } = await read(client, { path, offset_lines: 250, max_lines: 2 });
    expect([content, meta.total_lines]).toEqual(["251\n252\n", 500]);
  }
  await overHttp.close();
});

test("a truncated file is whole behind its handle, as tool and as resource (001-R3, 002-2.4, 002-L1-6)", async ({
  root,
  stdio: { client },
}) => {
  const path = join(root, "notes.txt");
  writeFileSync(path, numbered(500));
  const { handle, meta } = await read(client, { path });
  expect(meta).toMatchObject({ truncated: true, total_lines: 500 });
  let data = "";
  for (let offset: number | null = 0; offset !== null;) {
    const slice = await client.callTool({ name: "linux_handle_read", arguments: { handle, offset, limit: 700 } });
    const payload = slice.structuredContent as { data: string; next_offset: number | null };
    data += payload.data;
    offset = payload.next_offset;
  }
  expect(data).toBe(numbered(500));
  const resource = await client.readResource({ uri: `linuxops://handle/${handle}` });
  expect(resource.contents[0]).toMatchObject({ text: numbered(500) });
});

test("over stdio a handle survives a restart of the server", async ({ root, home }) => {
  writeFileSync(join(root, "notes.txt"), numbered(300));
  const first = await connectStdio(root, home);
  const { handle } = await read(first.client, { path: "notes.txt" });
  await first.client.close();
  const second = await connectStdio(root, home);
  const slice = await second.client.callTool({ name: "linux_handle_read", arguments: { handle } });
  expect(slice.structuredContent).toMatchObject({ data: numbered(300) });
  await second.client.close();
});

test("over HTTP another session is told that the handle does not exist", async ({ root, http }) => {
  writeFileSync(join(root, "notes.txt"), numbered(300));
  const [mine, theirs] = [await connectHttp(http), await connectHttp(http)];
  const { handle } = await read(mine, { path: "notes.txt" });
  const other = await theirs.callTool({ name: "linux_handle_read", arguments: { handle } });
  expect(other).toMatchObject({ isError: true, structuredContent: { code: "HANDLE_NOT_FOUND" } });
  await Promise.all([mine.close(), theirs.close()]);
});

test("clients that show the model one field get the text once (004-NFR-6)", async ({ root, home }) => {
  writeFileSync(join(root, "a.txt"), "x\n");
  const { client } = await connectStdio(root, home, "claude-code");
  const result = await client.callTool({ name: "linux_fs_read", arguments: { path: "a.txt" } });
  expect(result.structuredContent).toBeUndefined();
  expect(result.content).toEqual([{ type: "text", text: `[a.txt · 1 line]\nx\n` }]);
  await client.close();
});
