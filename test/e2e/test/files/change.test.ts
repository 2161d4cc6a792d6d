import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { expect } from "vitest";
import { connectHttp, connectStdio, test, type HttpServer, type StdioServer } from "../servers.js";

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name, arguments: args });
  return result.structuredContent as Record<string, unknown>;
}

const idOf = (payload: Record<string, unknown>): string => (payload["undo"] as { id: string }).id;

/** The same over both transports, each in a folder of its own. */
async function overBoth(
  { root, http, stdio }: { root: string; http: HttpServer; stdio: StdioServer },
  work: (client: Client, folder: string) => Promise<void>,
): Promise<void> {
  const overHttp = await connectHttp(http);
  for (const [name, client] of [["stdio", stdio.client] as const, ["http", overHttp] as const]) {
    const folder = join(root, name);
    mkdirSync(folder);
    await work(client, folder);
  }
  await overHttp.close();
}

test("fs_move moves inside the roots, replaces nothing in silence and copies trees (001-R9, 002-3.1.4)", async ({
  root,
  http,
  stdio,
}) => {
  await overBoth({ root, http, stdio }, async (client, folder) => {
    writeFileSync(join(folder, "a"), "a");
    writeFileSync(join(folder, "b"), "b");
    mkdirSync(join(folder, "d"));
    const move = (more: Record<string, unknown>) =>
      call(client, "linux_fs_move", { source: join(folder, "a"), target: join(folder, "b"), ...more });
    expect(await move({})).toMatchObject({ code: "ALREADY_EXISTS" });
    expect(await move({ target: "/llmc-e2e-outside" })).toMatchObject({ code: "INVALID_PATH" });
    expect(await move({ target: join(folder, "d") })).toMatchObject({ ok: true, target: join(folder, "d/a") });
    expect(await move({ source: join(folder, "d"), target: join(folder, "e"), copy: true })).toMatchObject({
      ok: true,
      copied: { entries: 2 },
    });
    expect(readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
      "b",
      "d",
      "d/a",
      "e",
      "e/a",
    ]);
  });
});

test("fs_delete spares roots and what is outside, counts, and can be taken back (001-R10, 002-3.1.4)", async ({
  root,
  http,
  stdio,
}) => {
  await overBoth({ root, http, stdio }, async (client, folder) => {
    mkdirSync(join(folder, "t/sub"), { recursive: true });
    writeFileSync(join(folder, "t/sub/f"), "x");
    for (const [path, code] of [
      [root, "PERMISSION_DENIED"],
      ["/etc", "INVALID_PATH"],
      [join(folder, "t"), "IS_DIRECTORY"],
    ] as const) {
      const recursive = code !== "IS_DIRECTORY";
      expect(await call(client, "linux_fs_delete", { path, recursive })).toMatchObject({ code });
    }
    const deleted = await call(client, "linux_fs_delete", { path: join(folder, "t"), recursive: true });
    expect([deleted["removed"], existsSync(join(folder, "t"))]).toEqual([3, false]);
    await call(client, "linux_fs_undo", { id: idOf(deleted) });
    expect(readFileSync(join(folder, "t/sub/f"), "utf8")).toBe("x");
  });
});

test("fs_apply_diff changes several files or none, and says so (002-3.3.2, 002-2.6, 002-L1-2, 002-L1-3)", async ({
  root,
  http,
  stdio,
}) => {
  await overBoth({ root, http, stdio }, async (client, folder) => {
    writeFileSync(join(folder, "one"), "a\nb\n");
    const made = "--- /dev/null\n+++ b/sub/new\n@@ -0,0 +1 @@\n+new\n";
    const diff = (line: string) => `--- a/one\n+++ b/one\n@@ -1,2 +1,2 @@\n a\n-${line}\n+c\n`;
    const failed = await call(client, "linux_fs_apply_diff", { diff_text: made + diff("x"), cwd: folder });
    expect([failed["code"], readdirSync(folder)]).toEqual(["PATCH_FAILED", ["one"]]);
    const done = await call(client, "linux_fs_apply_diff", { diff_text: made + diff("b"), cwd: folder });
    expect(done).toMatchObject({
      files_modified: [join(folder, "sub/new"), join(folder, "one")],
      backups_created: false,
      message: "Applied diff to 2 files",
    });
    expect(readFileSync(join(folder, "one"), "utf8")).toBe("a\nc\n");
    await call(client, "linux_fs_undo", {});
    expect([readFileSync(join(folder, "one"), "utf8"), readdirSync(folder)]).toEqual(["a\nb\n", ["one"]]);
  });
});

test("over stdio an undo by id survives a restart, while the last change is the session's own", async ({
  root,
  home,
}) => {
  const path = join(root, "f");
  writeFileSync(path, "old");
  const first = await connectStdio(root, home);
  const written = await call(first.client, "linux_fs_write", { path, content: "new" });
  await first.client.close();
  const second = await connectStdio(root, home);
  const nothing = await call(second.client, "linux_fs_undo", {});
  expect(nothing).toMatchObject({ code: "NOT_FOUND", hint: "Changes by commands cannot be undone here." });
  expect(readFileSync(path, "utf8")).toBe("new");
  await call(second.client, "linux_fs_undo", { id: idOf(written) });
  expect(readFileSync(path, "utf8")).toBe("old");
  await second.client.close();
});

test("over HTTP another session can neither see nor take back a change", async ({ root, http }) => {
  const path = join(root, "f");
  const [mine, theirs] = [await connectHttp(http), await connectHttp(http)];
  const written = await call(mine, "linux_fs_write", { path, content: "mine" });
  const refused = await call(theirs, "linux_fs_undo", { id: idOf(written) });
  expect(refused).toMatchObject({ code: "NOT_FOUND" });
  expect(String(refused["hint"])).not.toContain(idOf(written));
  expect(readFileSync(path, "utf8")).toBe("mine");
  await Promise.all([mine.close(), theirs.close()]);
});
