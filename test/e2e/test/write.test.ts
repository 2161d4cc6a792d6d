import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { expect } from "vitest";
import { connectHttp, test } from "./servers.js";

const sha = (text: string) => createHash("sha256").update(text).digest("hex");

interface Answer {
  readonly isError: boolean;
  readonly payload: Record<string, unknown>;
  readonly text: string;
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<Answer> {
  const result = await client.callTool({ name, arguments: args });
  const [first] = result.content as { text: string }[];
  return {
    isError: result.isError === true,
    payload: result.structuredContent as Record<string, unknown>,
    text: first?.text ?? "",
  };
}

test("fs_write writes and appends, checks what it replaces and tells the new sum (001-R4, 001-R5, 001-R6, 002-3.1.2)", async ({
  root,
  http,
  stdio,
}) => {
  const overHttp = await connectHttp(http);
  for (const [name, client] of [["stdio", stdio.client] as const, ["http", overHttp] as const]) {
    const path = join(root, name);
    const write = (more: Record<string, unknown>) => call(client, "linux_fs_write", { path, ...more });
    expect((await write({ content: "one\n" })).payload).toMatchObject({ bytes_written: 4, new_sha256: sha("one\n") });
    expect((await write({ content: "two\n", mode: "append" })).payload).toMatchObject({
      bytes_written: 4,
      new_sha256: sha("one\ntwo\n"),
    });
    const refused = await write({ content: "x", expected_sha256: sha("something else") });
    expect([refused.isError, refused.payload["code"]]).toEqual([true, "SHA_MISMATCH"]);
    expect(readFileSync(path, "utf8")).toBe("one\ntwo\n");
    const allowed = await write({ content: "x", expected_sha256: sha("one\ntwo\n") });
    expect([allowed.isError, readFileSync(path, "utf8")]).toEqual([false, "x"]);
  }
  await overHttp.close();
});

test("fs_mkdirs makes folders with their parents (001-R11, 002-3.1.4)", async ({ root, http, stdio }) => {
  const overHttp = await connectHttp(http);
  for (const [name, client] of [["stdio", stdio.client] as const, ["http", overHttp] as const]) {
    const path = join(root, name, "a/b");
    const made = await call(client, "linux_fs_mkdirs", { path });
    expect(made.payload).toMatchObject({ ok: true, path, created: [join(root, name), join(root, name, "a"), path] });
    expect(existsSync(path)).toBe(true);
  }
  await overHttp.close();
});

test("fs_patch_block replaces text, and a miss says enough for the next try (002-3.3.1)", async ({
  root,
  http,
  stdio,
}) => {
  const overHttp = await connectHttp(http);
  for (const [name, client] of [["stdio", stdio.client] as const, ["http", overHttp] as const]) {
    const path = join(root, name);
    writeFileSync(path, "if (a) {\n\treturn 1;\n}\n");
    const miss = await call(client, "linux_fs_patch_block", {
      path,
      old_text: "if (a) {\n\treturn one;\n}",
      new_text: "return 2;",
    });
    expect([miss.isError, miss.payload["code"]]).toEqual([true, "PATCH_COUNT_MISMATCH"]);
    expect(readFileSync(path, "utf8")).toBe("if (a) {\n\treturn 1;\n}\n");
    const { text } = miss.payload["nearest"] as { text: string };
    const hit = await call(client, "linux_fs_patch_block", { path, old_text: text, new_text: "return $&;" });
    expect(hit.payload).toMatchObject({ replacements_made: 1 });
    expect(readFileSync(path, "utf8")).toBe("return $&;\n");
  }
  // What a miss shows of a file is for its caller and not for the log.
  for (const log of [stdio.stderr, http.stderr]) {
    await expect.poll(log, { timeout: 10_000 }).toContain("PATCH_COUNT_MISMATCH");
    expect(log()).not.toContain("return 1");
  }
  await overHttp.close();
});
