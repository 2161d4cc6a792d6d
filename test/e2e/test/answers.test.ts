import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { linuxTools } from "@llmc/linux-ops";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { execaSync } from "execa";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect } from "vitest";
import { test } from "./servers.js";

interface Situation {
  readonly title: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Most o200k tokens that the text of the answer may cost. */
  readonly most?: number;
}

const CART = `import tax

class Item:
    def __init__(self, name, price):
        self.name = name
        self.price = price

    def total(self, count):
        return tax.add(self.price * count)


def checkout(items):
    return sum(item.total(1) for item in items)
`;

function plantShop(root: string): void {
  const files: Readonly<Record<string, string | Buffer>> = {
    "shop/cart.py": CART,
    "shop/tax.py": "RATE = 0.19\n\n\ndef add(price):\n    return price * (1 + RATE)\n",
    "shop/empty.py": "",
    "shop/crlf.txt": "one\r\ntwo\r\nthree\r\n",
    "shop/latin1.txt": Buffer.from("Stra\xdfe und H\xf6he\n", "latin1"),
    "shop/data.csv": `id,amount\n${Array.from({ length: 500 }, (_, at) => `${at},${at % 7}`).join("\n")}\n`,
    "app.log": Array.from({ length: 2000 }, (_, at) => `12:00:${at % 60} request ${at} took ${at % 90} ms\n`).join(""),
    "one-line.json": `{"a":"${"x".repeat(50_000)}"}`,
    "photo.bin": Buffer.from([0, 1, 2, 3, 0, 255]),
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  mkdirSync(join(root, "many"), { recursive: true });
  for (let at = 0; at < 80; at += 1) {
    mkdirSync(join(root, `many/d${at % 2}`), { recursive: true });
    writeFileSync(join(root, `many/d${at % 2}/f${at}.txt`), `${at}`);
  }
  execaSync("git", ["init", "-q", root]);
}

const at = (title: string, tool: string, args: Situation["args"], most?: number): Situation => ({
  title,
  tool,
  args,
  ...(most === undefined ? {} : { most }),
});

const patch = (path: string, old_text: string, new_text: string, more = {}) => ({ path, old_text, new_text, ...more });
const diff = (body: string) => ({ diff_text: body });

const SITUATIONS: readonly Situation[] = [
  at("a small file", "linux_fs_read", { path: "shop/tax.py" }, 60),
  at("some lines of it", "linux_fs_read", { path: "shop/cart.py#L3-L5" }, 60),
  at("a page of a long file", "linux_fs_read", { path: "app.log", offset_lines: 100, max_lines: 3 }, 110),
  at("the end of a long file", "linux_fs_read", { path: "app.log", tail_lines: 2 }, 90),
  at("past the end", "linux_fs_read", { path: "app.log", offset_lines: 3000 }, 50),
  at("lines from the end by a negative number", "linux_fs_read", { path: "app.log", offset_lines: -20 }),
  at("one very long line", "linux_fs_read", { path: "one-line.json" }),
  at("several files, one missing", "linux_fs_read", { paths: ["shop/tax.py", "shop/taxes.py"] }),
  at("an empty file", "linux_fs_read", { path: "shop/empty.py" }, 30),
  at("a binary file", "linux_fs_read", { path: "photo.bin" }),
  at("a file in Latin-1", "linux_fs_read", { path: "shop/latin1.txt" }, 50),
  at("a typo in a path", "linux_fs_read", { path: "shop/crat.py" }),
  at("a path outside of the roots", "linux_fs_read", { path: "/etc/passwd" }),
  at("a typo in an argument", "linux_fs_read", { file_path: "shop/tax.py" }),
  at("an argument of the wrong type", "linux_fs_read", { path: "shop/tax.py", max_lines: "many" }),
  at("a limit over its bound", "linux_search_files", { pattern: "tax", max_results: 1_000_000_000 }),
  at("a tool of another server", "Bash", { command: "ls" }),
  at("a folder where a file is needed", "linux_fs_read", { path: "shop" }),
  at("the tree", "linux_fs_list", { path: "." }, 250),
  at("a missing folder", "linux_fs_list", { path: "shopp" }),
  at("a glob that fits no file", "linux_fs_list", { path: "shop", file_glob: "*.rs" }),
  at("a new file", "linux_fs_write", { path: "src/new.py", content: "x = 1\n" }, 25),
  at("a rewrite", "linux_fs_write", { path: "src/new.py", content: "x = 2\n" }, 25),
  at("an append", "linux_fs_write", { path: "src/new.py", content: "y = 3\n", mode: "append" }, 25),
  at("a rewrite that changes the line ends", "linux_fs_write", { path: "shop/crlf.txt", content: "one\ntwo\n" }, 50),
  at("a write over a folder", "linux_fs_write", { path: "shop", content: "" }),
  at("new folders", "linux_fs_mkdirs", { path: "src/a/b" }, 20),
  at("folders that are there", "linux_fs_mkdirs", { path: "src/a/b" }, 20),
  at("a move", "linux_fs_move", { source: "src/new.py", target: "src/a/b" }, 30),
  at("a move over a file", "linux_fs_move", { source: "src/a/b/new.py", target: "shop/tax.py" }),
  at("a copy", "linux_fs_move", { source: "shop", target: "src/shop", copy: true }, 40),
  at("several moves", "linux_fs_move", { paths: ["src/shop/tax.py", "src/shop/cart.py"], target: "src/a" }, 30),
  at("a star in a path", "linux_fs_delete", { path: "src/a/*.py" }),
  at("a folder without recursive", "linux_fs_delete", { path: "src/a" }),
  at("a dry run", "linux_fs_delete", { path: "many", recursive: true, dry_run: true }, 60),
  at("several deletes", "linux_fs_delete", { paths: ["src/a/tax.py", "src/a/cart.py"] }, 40),
  at("a delete", "linux_fs_delete", { path: "src/a/b/new.py" }, 30),
  at("the last change undone", "linux_fs_undo", {}, 45),
  at("an unknown change", "linux_fs_undo", { id: "u000000000" }),
  at("one line replaced", "linux_fs_patch_block", patch("shop/tax.py", "RATE = 0.19", "RATE = 0.2"), 60),
  at("text that is not there", "linux_fs_patch_block", patch("shop/cart.py", "class Foo", "class Bar")),
  at("a short word that is not there", "linux_fs_patch_block", patch("shop/cart.py", "nope", "yes")),
  at("text that occurs twice", "linux_fs_patch_block", patch("shop/cart.py", "self.price", "self.cost")),
  at(
    "tabs for spaces",
    "linux_fs_patch_block",
    patch("shop/cart.py", "\tdef total(self, count):", "\tdef sum(self, count):"),
  ),
  at("three edits, one made already", "linux_fs_patch_block", {
    path: "shop/cart.py",
    edits: [
      { old_text: "import tax", new_text: "import tax as t" },
      { old_text: "tax.add(", new_text: "t.add(" },
    ],
  }),
  at(
    "a diff",
    "linux_fs_apply_diff",
    diff("--- a/shop/tax.py\n+++ b/shop/tax.py\n@@ -1 +1 @@\n-RATE = 0.2\n+RATE = 0.21\n"),
  ),
  at(
    "the same diff again",
    "linux_fs_apply_diff",
    diff("--- a/shop/tax.py\n+++ b/shop/tax.py\n@@ -1 +1 @@\n-RATE = 0.2\n+RATE = 0.21\n"),
  ),
  at(
    "a diff that does not fit",
    "linux_fs_apply_diff",
    diff("--- a/shop/tax.py\n+++ b/shop/tax.py\n@@ -1 +1 @@\n-SPEED = 1\n+SPEED = 2\n"),
  ),
  at("a definition", "linux_search_content", { root: ".", pattern: "def checkout" }, 90),
  at("several hits", "linux_search_content", { root: ".", pattern: "price" }, 320),
  at("hits that differ in a number", "linux_search_content", { root: ".", pattern: "request" }, 700),
  at("no hit", "linux_search_content", { root: ".", pattern: "zzzzzz" }, 40),
  at("a broken regex that is text", "linux_search_content", { root: ".", pattern: "total(" }, 120),
  at("path instead of root", "linux_search_content", { path: "shop", pattern: "RATE =" }, 90),
  at("files by name", "linux_search_files", { pattern: "tax" }, 60),
  at("no file of that name", "linux_search_files", { pattern: "zzzzzz" }, 40),
  at("a command", "te_run", { command: "echo hello" }, 30),
  at("a command that fails", "te_run", { command: "ls /nonexistent" }, 70),
  at("cd alone", "te_run", { command: "cd shop" }, 70),
  at("a command in the background", "te_run", { command: "sleep 30 & echo started" }, 70),
  at("a program that does not exist", "te_run", { command: "pyhton3 -c 1" }, 90),
  at("a process that does not exist", "linux_proc_kill", { pid: 999_999_999 }),
  at("the first process", "linux_proc_kill", { pid: 1 }),
  at("an unknown managed process", "linux_proc_read", { proc_id: "p_aaaaaa" }, 40),
  at("no managed process", "linux_proc_sessions", {}, 20),
  at("a port that nobody listens on", "linux_proc_list", { port: 1 }, 30),
  at("the state of a path", "stat", { path: "shop/tax.py" }, 40),
  at("an unknown handle", "linux_handle_read", { handle: "h000000" }),
];

/** Replaces the parts of a text that differ between two runs or two machines. */
function steady(text: string, root: string): string {
  return text
    .replaceAll(root, "ROOT")
    .replaceAll(/\bu\d{9}\b/g, "u123456789")
    .replaceAll(/\bh\d{6}\b/g, "h123456")
    .replaceAll(/\bp_[a-z0-9]{6}\b/g, "p_abcdef")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2026-01-01T00:00:00Z")
    .replaceAll(/\b(?:ripgrep|fd|grep) \d+(?:\.\d+)+/g, "ENGINE 1.0")
    .replaceAll(/\b\d+(?:\.\d+)? m?s\b(?= ·|\])/g, "1 s")
    .replaceAll(/("correlation_id":")[^"]+/g, "$1c");
}

async function answerOf(client: Client, { tool, args }: Situation): Promise<string> {
  try {
    const result = await client.callTool({ name: tool, arguments: { ...args } });
    return (result.content as { type: string; text?: string }[])
      .map(({ type, text }) => text ?? `<${type}>`)
      .join("\n");
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

/** Returns arguments that some tool accepts and no tool lists. */
function unlistedArguments(tools: readonly Tool[]): ReadonlySet<string> {
  const listed = new Set(tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {})));
  const accepted = linuxTools.flatMap(({ input }) => Object.keys(input.shape));
  return new Set(accepted.filter((name) => !listed.has(name)));
}

const quoted = /"(?:[^"\\]|\\.)*"/g;

describe("answers", { timeout: 120_000 }, () => {
  test("of everyday situations are those that were reviewed, and within their bounds", async ({ stdio, root }) => {
    plantShop(root);
    const { tools } = await stdio.client.listTools();
    const listed = new Set(tools.map(({ name }) => name));
    const unlisted = unlistedArguments(tools);
    const parts: string[] = [];
    const problems: string[] = [];
    for (const situation of SITUATIONS) {
      const { title, tool, args, most } = situation;
      const text = await answerOf(stdio.client, situation);
      const shown = steady(text, root);
      const tokens = countTokens(text.replaceAll(root, "/home/u/src"));
      parts.push(`## ${title}\n\n${tool} ${JSON.stringify(args).slice(0, 300)}\n\n${shown}\n`);
      if (most !== undefined && tokens > most) problems.push(`${title}: ${tokens} tokens, at most ${most}`);
      if (/^[{[]["{]/.test(text) || text === "[]" || text === "{}") problems.push(`${title}: JSON as text`);
      const advice = tool.includes("fs_read") || tool === "te_run" ? "" : shown.replaceAll(quoted, "");
      for (const [name] of advice.matchAll(/\blinux[._][a-z_]+\b|\bread_file\b|\bSYS_INFO\b|\bEXEC_CLI\b/g))
        if (!listed.has(name)) problems.push(`${title}: advises ${name}, which is not listed`);
      for (const [, name = ""] of advice.matchAll(/\b([a-z_]+) ?[:=]/g))
        if (unlisted.has(name)) problems.push(`${title}: advises ${name}, which is not listed`);
    }
    expect(problems).toEqual([]);
    await expect(parts.join("\n")).toMatchFileSnapshot("../golden/answers.txt");
  });
});
