import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { expect } from "vitest";
import { test } from "./servers.js";

interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

/** Returns the text of an answer, without the id of its undo. */
async function read(client: Client, name: string, args: Record<string, unknown>): Promise<Answer> {
  const result = await client.callTool({ name, arguments: args });
  const [first] = result.content as { text: string }[];
  const text = (first?.text ?? "").replace(/undo \w+\]/, "undo ID]");
  return { text, isError: result.isError === true };
}

const textOf = async (...args: Parameters<typeof read>): Promise<string> => (await read(...args)).text;

const CART = "import os\n\nclass Item:\n\tprice = 1\n\n\tdef total(self):\n\t\treturn self.price\n";

test("an edit is answered by a line of each side, and whitespace does not stop it", async ({ root, stdio }) => {
  const edit = (path: string, old_text: string, new_text: string) =>
    textOf(stdio.client, "linux_fs_patch_block", { path, old_text, new_text });
  writeFileSync(join(root, "cart.py"), CART);
  expect(await edit("cart.py", "class Item:", "class Product:")).toBe(
    "[cart.py · line 3 · undo ID]\n- class Item:\n+ class Product:",
  );
  const [old, fresh] = ["def total(self):\n    return self.price\n", "def total(self):\n    return 2 * self.price\n"];
  expect(await edit("cart.py", old, fresh)).toBe(
    "[cart.py · line 7 · indentation taken from the file · undo ID]\n- \t\treturn self.price\n+ \t\treturn 2 * self.price",
  );
  writeFileSync(join(root, "dos.py"), CART.replaceAll("\n", "\r\n"));
  expect(await edit("dos.py", "import os\n", "import os\nimport re\n")).toBe(
    "[dos.py · line 2 · CRLF kept · undo ID]\n+ import re",
  );
  const kept = CART.replace("os\n", "os\nimport re\n").replaceAll("\n", "\r\n");
  expect(readFileSync(join(root, "dos.py"), "utf8")).toBe(kept);
});

test("a miss names the closest line, and offers nothing that would change another one", async ({ root, stdio }) => {
  const path = join(root, "cart.py");
  const text = `${CART}\nfor name in names:\n\tname()\n`;
  writeFileSync(path, text);
  for (const [old_text, said] of [
    ["class Foo", "old_text is not in cart.py. Closest line 3: class Item:"],
    ["nope", "old_text is not in cart.py. Closest line "],
    ["foo", "old_text is not in cart.py. Closest line 9: for name in names:"],
  ] as const) {
    const miss = await read(stdio.client, "linux_fs_patch_block", { path: "cart.py", old_text, new_text: "x" });
    expect(miss).toEqual({ isError: true, text: expect.stringContaining(said) });
    expect(miss.text).not.toMatch(/expected_replacements|as old_text/);
  }
  expect(readFileSync(path, "utf8")).toBe(text);
});

test("parts of a diff that were there already are told, the rest is applied, and one undo takes it back", async ({
  root,
  stdio,
}) => {
  const path = (name: string) => join(root, name);
  writeFileSync(path("cart.py"), "ONE\nb\nc\nd\ne\nf\ntwo\n");
  writeFileSync(path("tax.py"), "x\n");
  const diff_text =
    "--- a/cart.py\n+++ b/cart.py\n@@ -1,2 +1,2 @@\n-one\n+ONE\n b\n@@ -6,2 +6,2 @@\n f\n-two\n+TWO\n" +
    "--- a/tax.py\n+++ b/tax.py\n@@ -1 +1 @@\n-x\n+y\n";
  expect(await textOf(stdio.client, "linux_fs_apply_diff", { diff_text })).toBe(
    `[2 files · undo ID]\n[cart.py · changed]\n[tax.py · changed]\ncart.py: hunk 1 was there already`,
  );
  const again = await read(stdio.client, "linux_fs_apply_diff", { diff_text });
  expect(again).toEqual({
    isError: true,
    text: expect.stringContaining("cart.py already has hunks 1, 2 (lines 1, 6). tax.py already has hunk 1 (line 1)."),
  });
  await textOf(stdio.client, "linux_fs_undo", {});
  expect(["cart.py", "tax.py"].map((name) => readFileSync(path(name), "utf8"))).toEqual([
    "ONE\nb\nc\nd\ne\nf\ntwo\n",
    "x\n",
  ]);
});

test("a text in windows-1252 is read, patched and added to in its encoding; a rewrite says that it is UTF-8", async ({
  root,
  stdio,
}) => {
  const path = join(root, "notes.txt");
  writeFileSync(path, Buffer.from("pr\xe9nom\r\ncaf\xe9\r\n", "latin1"));
  const call = (tool: string, args: object) => textOf(stdio.client, `linux_${tool}`, { path: "notes.txt", ...args });
  expect(await call("fs_read", {})).toBe(`[notes.txt · 2 lines · windows-1252 · CRLF]\nprénom\r\ncafé\r\n`);
  expect(await call("fs_patch_block", { old_text: "café\n", new_text: "thé – 5 €\n" })).toBe(
    "[notes.txt · line 2 · CRLF kept · windows-1252, kept · undo ID]\n- café\n+ thé – 5 €",
  );
  expect(await call("fs_write", { content: "où\r\n", mode: "append" })).toBe(
    "[notes.txt · 4B appended · windows-1252, kept · undo ID]",
  );
  expect(readFileSync(path, "latin1")).toBe("pr\xe9nom\r\nth\xe9 \x96 5 \x80\r\no\xf9\r\n");
  expect(await call("fs_patch_block", { old_text: "prénom", new_text: "日本" })).toContain(
    'notes.txt is windows-1252 text, which has no "日"',
  );
  expect(await call("fs_write", { content: "日本\n" })).toBe(
    "[notes.txt · rewritten · 7B · encoding changed: windows-1252 to UTF-8; line ends changed: CRLF to LF · undo ID]",
  );
});

test("a file is written with the folders that it lacks, in one line, and one undo takes back both", async ({
  root,
  stdio,
}) => {
  expect(await textOf(stdio.client, "linux_fs_write", { path: "src/a/x.ts", content: "x".repeat(2300) })).toBe(
    "[src/a/x.ts · new · 2.2K · new folder src/ · undo ID]",
  );
  await textOf(stdio.client, "linux_fs_undo", {});
  expect(existsSync(join(root, "src"))).toBe(false);
});

test("lines that a file does not have are told, with the argument that counts from the end", async ({
  root,
  stdio,
}) => {
  writeFileSync(join(root, "app.log"), "x\n".repeat(200_008));
  writeFileSync(join(root, "min.js"), "x".repeat(637_847));
  const log = (args: object) => textOf(stdio.client, "linux_fs_read", { path: "app.log", ...args });
  expect(await log({ offset_lines: 300_000 })).toBe(
    "[app.log has 200,008 lines; offset_lines 300000 is past the end]\n",
  );
  expect(await log({ offset_lines: -20 })).toContain("tail_lines: 20");
  expect(await textOf(stdio.client, "linux_fs_read", { path: "min.js" })).toContain(
    "1 line, shown: 2,000 of its 637,847 characters",
  );
  const { tools } = await stdio.client.listTools();
  const listed = (name: string) => Object.keys(tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {});
  expect(listed("linux_fs_read")).toContain("tail_lines");
  expect(listed("linux_fs_patch_block")).toContain("expected_replacements");
  expect(listed("linux_fs_patch_block")).not.toContain("normalize");
});
