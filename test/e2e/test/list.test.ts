import { mkdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect } from "vitest";
import { connectHttp, connectStdio, test } from "./servers.js";

interface Listed {
  entries: { path: string; type: string; size_bytes?: number; mtime_iso?: string }[];
  truncated: boolean;
  handle: string | null;
  total_entries: number;
}

async function list(client: Client, args: Record<string, unknown>): Promise<Listed> {
  const result = await client.callTool({ name: "linux_fs_list", arguments: args });
  expect(result.isError ?? false).toBe(false);
  return result.structuredContent as Listed;
}

function plant(root: string, paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), "12345");
  }
}

test("fs_list lists a folder by depth, glob and hidden, over both transports (001-R7, 002-3.1.3)", async ({
  root,
  http,
  stdio,
}) => {
  plant(root, ["src/deep/b.ts", "src/a.ts", "README.md", ".env"]);
  const overHttp = await connectHttp(http);
  for (const client of [stdio.client, overHttp]) {
    const paths = async (args: Record<string, unknown>) =>
      (await list(client, { path: root, ...args })).entries.map(({ path }) => path.slice(root.length + 1));
    expect(await paths({ depth: 0 })).toEqual(["src", "README.md"]);
    expect(await paths({ depth: 1 })).toEqual(["src", "README.md", "src/deep", "src/a.ts"]);
    expect(await paths({})).toEqual(["src", "README.md", "src/deep", "src/a.ts", "src/deep/b.ts"]);
    expect(await paths({ file_glob: "*.ts" })).toEqual(["src/a.ts", "src/deep/b.ts"]);
    expect(await paths({ depth: 0, include_hidden: true })).toEqual(["src", ".env", "README.md"]);
    const { entries } = await list(client, { path: root, file_glob: "README.md" });
    const mtime_iso = new Date(Math.floor(statSync(join(root, "README.md")).mtimeMs)).toISOString();
    expect(entries).toEqual([{ path: join(root, "README.md"), type: "file", size_bytes: 5, mtime_iso }]);
  }
  await overHttp.close();
});

test("a list is bounded, and all of it is one JSON array behind its handle (001-R8)", async ({ root, http, stdio }) => {
  const names = Array.from({ length: 700 }, (_, index) => `f${String(index).padStart(3, "0")}`);
  plant(root, names);
  const overHttp = await connectHttp(http);
  for (const client of [stdio.client, overHttp]) {
    const { entries, truncated, handle, total_entries } = await list(client, { path: root, max_entries: 5 });
    expect([entries.length, truncated, total_entries]).toEqual([5, true, 700]);
    let data = "";
    for (let offset: number | null = 0; offset !== null;) {
      const slice = await client.callTool({ name: "linux_handle_read", arguments: { handle, offset } });
      const payload = slice.structuredContent as { data: string; next_offset: number | null };
      data += payload.data;
      offset = payload.next_offset;
    }
    const all = JSON.parse(data) as Listed["entries"];
    expect(all.map(({ path }) => path)).toEqual(names.map((name) => join(root, name)));
    expect((await list(client, { path: root })).entries.length).toBeLessThanOrEqual(500);
  }
  await overHttp.close();
});

test("a client that shows its model one field gets the list as text", async ({ root, home }) => {
  plant(root, ["src/a.ts"]);
  symlinkSync("src", join(root, "link"));
  const { client } = await connectStdio(root, home, "claude-code");
  const result = await client.callTool({ name: "linux_fs_list", arguments: { path: "." } });
  expect(result.structuredContent).toBeUndefined();
  expect(result.content).toEqual([{ type: "text", text: `[. · 3 entries (depth 2)]\nsrc/\n  a.ts\nlink -> src` }]);
  await client.close();
});

async function textOf(client: Client, args: Record<string, unknown>): Promise<string> {
  const result = await client.callTool({ name: "linux_fs_list", arguments: args });
  return (result.content as { text: string }[]).map(({ text }) => text).join("\n");
}

test("a model sees big folders folded, and how to look inside; following that shows them", async ({ root, stdio }) => {
  const names = Array.from({ length: 385 }, (_, nth) => `lib/f${nth}`);
  plant(root, [...names, "src/a.ts", "README.md", ".env"]);
  const text = await textOf(stdio.client, { path: root });
  expect(text).toBe(
    `[${root} · 4 of 389 entries (depth 2; 1 hidden). List a folder marked "— N" to see inside.]
lib/ — 385 entries
src/
  a.ts
README.md`,
  );
  expect(countTokens(text)).toBeLessThan(70);
  expect((await textOf(stdio.client, { path: join(root, "lib") })).split("\n")).toHaveLength(386);
  const { entries, truncated } = await list(stdio.client, { path: root });
  expect([entries.length, truncated]).toEqual([389, false]);
});

test("a model sees sizes of large and empty files, of all on request, and what takes the room on the disk", async ({
  root,
  stdio: { client },
}) => {
  plant(root, ["cache/deep/big", "src/a.ts", "none"]);
  writeFileSync(join(root, "cache/deep/big"), Buffer.alloc(5 * 1024 * 1024));
  writeFileSync(join(root, "none"), "");
  expect(await textOf(client, { path: root })).toContain("\n    big 5.0M\nsrc/\n  a.ts\nnone 0B");
  expect(await textOf(client, { path: root, sizes: true })).toContain("\n  a.ts 5B\n");
  expect(await textOf(client, { path: root, sort: "size" })).toMatch(
    /^\[\S+ · 5\.0M on disk in 6 entries\]\n5\.0M cache\/\n5\.0M cache\/deep\/\n5\.0M cache\/deep\/big\n/,
  );
});

test("read_file, list_dir and stat answer POST /tool in the seed's shapes, and MCP and the library with the same", async ({
  root,
  http,
  stdio,
  library,
}) => {
  plant(root, ["b", "a"]);
  const path = join(root, "a");
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  const expected = {
    read_file: { args: { path }, answer: { data: "12345", meta: { path, length: 5 } } },
    list_dir: { args: { path: root }, answer: { data: ["a", "b"], meta: { path: root } } },
    stat: { args: { path }, answer: { data: { size: 5, mtime: 1_700_000_000, mode: "0644", type: "file" } } },
  } as const;
  for (const [name, { args, answer }] of Object.entries(expected)) {
    const { status, body } = await http.post("/tool", { session_id: "s", name, args });
    const { correlation_id, ...meta } = body["meta"] as Record<string, unknown>;
    expect([status, body["data"], correlation_id]).toEqual([200, answer.data, expect.any(String)]);
    expect(meta).toEqual("meta" in answer ? answer.meta : {});
    expect(await library.call(name as "stat", args)).toEqual(answer);
    expect(await stdio.client.callTool({ name, arguments: args })).toMatchObject({ structuredContent: answer });
  }
  const listed = (await stdio.client.listTools()).tools.map(({ name }) => name);
  expect(Object.keys(expected).filter((name) => listed.includes(name))).toEqual([]);
});
