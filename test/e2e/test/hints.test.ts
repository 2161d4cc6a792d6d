import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { execaSync } from "execa";
import { expect } from "vitest";
import { connectHttp, connectStdio, startHttp, test } from "./servers.js";

type Args = Record<string, unknown>;

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly [detail: string]: unknown;
}

interface Case {
  readonly code: string;
  readonly tool: string;
  prepare?(root: string): void;
  /** Before the call that fails: another call of the session, or somebody else's work. */
  before?(call: (tool: string, args: Args) => Promise<unknown>, root: string): Promise<void>;
  args(root: string): Args;
  /** What a model makes of the error, and of nothing else. */
  follow(failure: Failure, args: Args): { readonly tool?: string; readonly args: Args };
}

/** The first group of what is found in the hint; a hint that does not have it fails the test. */
function told(failure: Failure, pattern: RegExp, field: "hint" | "message" = "hint"): string {
  const [, value] = pattern.exec(failure[field]) ?? [];
  if (value === undefined) throw new Error(`${pattern} is not in: ${failure[field]}`);
  return value;
}

const write = (root: string, name: string, content: string | Buffer) => writeFileSync(join(root, name), content);

const CASES: Readonly<Record<string, Case>> = {
  "a missing folder": {
    code: "NOT_FOUND",
    tool: "linux_fs_write",
    args: (root) => ({ path: join(root, "new/f"), content: "x", create_parents: false }),
    follow: (failure, args) => ({ args: { ...args, [told(failure, /Leave out (\w+): false/)]: undefined } }),
  },
  "a folder where a file is needed": {
    code: "IS_DIRECTORY",
    tool: "linux_fs_delete",
    prepare: (root) => mkdirSync(join(root, "d")),
    args: (root) => ({ path: join(root, "d") }),
    follow: (failure, args) => ({ args: { ...args, [told(failure, /(recursive)[:=] ?true/)]: true } }),
  },
  "a target that is taken": {
    code: "ALREADY_EXISTS",
    tool: "linux_fs_move",
    prepare: (root) => ["a", "b"].forEach((name) => write(root, name, name)),
    args: (root) => ({ source: join(root, "a"), target: join(root, "b") }),
    follow: (failure, args) => ({ args: { ...args, [told(failure, /(overwrite)[:=] ?true/)]: true } }),
  },
  "a sum that is not the file's": {
    code: "SHA_MISMATCH",
    tool: "linux_fs_write",
    prepare: (root) => write(root, "f", "theirs"),
    args: (root) => ({ path: join(root, "f"), content: "x", expected_sha256: "0".repeat(64) }),
    follow: (failure, args) => ({ args: { ...args, expected_sha256: told(failure, /expected_sha256: "(\w+)"/) } }),
  },
  "a file that somebody else changed": {
    code: "STALE_FILE",
    tool: "linux_fs_write",
    prepare: (root) => write(root, "f", "old"),
    before: async (call, root) => {
      await call("linux_fs_read", { path: join(root, "f") });
      write(root, "f", "theirs");
    },
    args: (root) => ({ path: join(root, "f"), content: "x" }),
    follow: (failure, { path }) => ({
      tool: `linux_fs_${told(failure, /^(Read) it again/).toLowerCase()}`,
      args: { path },
    }),
  },
  "a block that occurs more often": {
    code: "PATCH_COUNT_MISMATCH",
    tool: "linux_fs_patch_block",
    prepare: (root) => write(root, "f", "a\na\n"),
    args: (root) => ({ path: join(root, "f"), old_text: "a", new_text: "b" }),
    follow: (failure, args) => ({
      args: { ...args, expected_replacements: Number(told(failure, /expected_replacements[=: ]+(\d+)/)) },
    }),
  },
  "a block that fits two places but for indentation": {
    code: "PATCH_COUNT_MISMATCH",
    tool: "linux_fs_patch_block",
    prepare: (root) => write(root, "f", "if (x) {\n\ty();\n}\nelse {\n\ty();\n}\n"),
    args: (root) => ({ path: join(root, "f"), old_text: "    y();\n}\n", new_text: "    z();\n}\n" }),
    follow: (failure, args) => {
      told(failure, /(Send more lines)/);
      const line = Number(told(failure, /lines (\d+)-/, "message"));
      const more = line === 2 ? "if (x) {\n" : "";
      return { args: { ...args, old_text: `${more}    y();\n}\n`, new_text: `${more}    z();\n}\n` } };
    },
  },
  "a block whose indentation differs in more than one way": {
    code: "PATCH_COUNT_MISMATCH",
    tool: "linux_fs_patch_block",
    prepare: (root) => write(root, "f", "def f():\n    if x:\n        y()\n"),
    args: (root) => ({ path: join(root, "f"), old_text: "  if x:\n    y()\n", new_text: "  if x:\n    z()\n" }),
    follow: (failure, args) => {
      const indented = (text: unknown) => String(text).replaceAll("  ", "    ");
      told(failure, /(send old_text and new_text with that indentation)/);
      return { args: { ...args, old_text: indented(args["old_text"]), new_text: indented(args["new_text"]) } };
    },
  },
  "a block that is only nearly there": {
    code: "PATCH_COUNT_MISMATCH",
    tool: "linux_fs_patch_block",
    prepare: (root) => write(root, "f", "const total = price * count;\n"),
    args: (root) => ({ path: join(root, "f"), old_text: "const total = price + count;", new_text: "x" }),
    follow: (failure, args) => ({
      args: { ...args, old_text: JSON.parse(told(failure, /as old_text: (".*")\./)) as string },
    }),
  },
  "a diff for a file that is not there": {
    code: "NOT_FOUND",
    tool: "linux_fs_apply_diff",
    args: (root) => ({ diff_text: "--- a/new\n+++ b/new\n@@ -1 +1 @@\n-x\n+made\n", cwd: root }),
    follow: (failure, args) => {
      const header = told(failure, /(--- \/dev\/null)/);
      return { args: { ...args, diff_text: `${header}\n+++ b/new\n@@ -0,0 +1 @@\n+made\n` } };
    },
  },
  "a hunk that fits nowhere": {
    code: "PATCH_FAILED",
    tool: "linux_fs_apply_diff",
    prepare: (root) => write(root, "f", "open();\nconst price = of(item);\nclose();\n"),
    args: (root) => ({
      diff_text:
        "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n open();\n-const price = for(item);\n+const price = 0;\n close();\n",
      cwd: root,
    }),
    follow: (failure, args) => {
      told(failure, /(copy the lines marked \+)/);
      const mine = told(failure, /^- (.*)$/m, "message");
      const theirs = told(failure, /^\+ (.*)$/m, "message");
      return { args: { ...args, diff_text: String(args["diff_text"]).replace(`\n-${mine}`, `\n-${theirs}`) } };
    },
  },
  "an argument that is called otherwise": {
    code: "INVALID_ARGUMENT",
    tool: "linux_fs_read",
    prepare: (root) => write(root, "f", "x"),
    args: (root) => ({ file: join(root, "f") }),
    follow: (failure, args) => ({ args: { [told(failure, /Did you mean (\w+)\?/)]: args["file"] } }),
  },
  "two arguments that exclude each other": {
    code: "INVALID_ARGUMENT",
    tool: "linux_fs_read",
    prepare: (root) => write(root, "f", "a\nb\n"),
    args: (root) => ({ path: join(root, "f"), tail_lines: 1, offset_lines: 1 }),
    follow: (failure, args) => ({ args: { ...args, [told(failure, /Leave out (\w+)/)]: undefined } }),
  },
  "a root that is to be removed": {
    code: "PERMISSION_DENIED",
    tool: "linux_fs_delete",
    prepare: (root) => write(root, "../f", "x"),
    args: (root) => ({ path: join(root, ".."), recursive: true }),
    follow: (failure, args) => {
      told(failure, /(Name something inside it)/);
      return { args: { ...args, path: join(String(args["path"]), "f") } };
    },
  },
  "a handle that is not there": {
    code: "HANDLE_NOT_FOUND",
    tool: "linux_handle_read",
    prepare: (root) => write(root, "f", "a\nb\n"),
    args: () => ({ handle: "H_file_20200101T000000Z_aaaaaaaaaaaaaaaaaaaa" }),
    follow: (failure) => {
      told(failure, /(Repeat the call that made it)/);
      return { tool: "linux_fs_list", args: { path: "." } };
    },
  },
  "a binary file": {
    code: "UNSUPPORTED_CONTENT",
    tool: "linux_fs_read",
    prepare: (root) => write(root, "f", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2])),
    args: (root) => ({ path: join(root, "f") }),
    follow: (failure, { path }) => ({ tool: told(failure, /with (\w+):/), args: { command: ["od", "-c", path] } }),
  },
  "a path outside the roots": {
    code: "INVALID_PATH",
    tool: "linux_fs_write",
    args: () => ({ path: "/llmc-e2e-outside", content: "x" }),
    follow: (failure, args) => ({ args: { ...args, path: `${told(failure, /Use a path inside ([^,;]+)/)}/inside` } }),
  },
  "a path below a file": {
    code: "NOT_A_DIRECTORY",
    tool: "linux_fs_mkdirs",
    prepare: (root) => write(root, "f", "x"),
    args: (root) => ({ path: join(root, "f/below") }),
    follow: (failure, args) => {
      const file = told(failure, /^(\S+) is a file/, "message");
      return { args: { ...args, path: String(args["path"]).replace(file, `${file}-folder`) } };
    },
  },
  "a FIFO": {
    code: "INVALID_PATH",
    tool: "linux_fs_read",
    prepare: (root) => {
      execaSync("mkfifo", [join(root, "fifo")]);
      write(root, "regular", "x");
      symlinkSync("regular", join(root, "to-regular"));
    },
    args: (root) => ({ path: join(root, "fifo") }),
    follow: (failure, args) => {
      const kind = told(failure, /Only (regular) files/);
      return { args: { ...args, path: String(args["path"]).replace("fifo", `to-${kind}`) } };
    },
  },
  "an id that is not known": {
    code: "NOT_FOUND",
    tool: "linux_fs_undo",
    before: async (call, root) => {
      await call("linux_fs_write", { path: join(root, "f"), content: "x" });
    },
    args: () => ({ id: "U_20200101T000000Z_aaaaaaaaaa" }),
    follow: (failure) => ({ args: { id: told(failure, /\b(u\d{9})\b/) } }),
  },
  "a last change that is not kept": {
    code: "NOT_FOUND",
    tool: "linux_fs_undo",
    before: async (call, root) => {
      await call("linux_fs_write", { path: join(root, "f"), content: "x" });
      await call("linux_fs_write", { path: join(root, "g"), content: "x" });
      await call("linux_fs_delete", { path: join(root, "g"), secure: true });
    },
    args: () => ({}),
    follow: (failure) => ({ args: { id: told(failure, /\b(u\d{9})\b/) } }),
  },
};

async function attempt(client: Client, tool: string, args: Args): Promise<Failure | null> {
  const result = await client.callTool({ name: tool, arguments: args });
  return result.isError === true ? (result.structuredContent as Failure) : null;
}

test.for(Object.entries(CASES))(
  "%s: the error's hint, followed to the letter, lets the next call succeed",
  async ([, one], { root, http, stdio }) => {
    const overHttp = await connectHttp(http);
    for (const [name, client] of [["stdio", stdio.client] as const, ["http", overHttp] as const]) {
      const folder = join(root, name);
      mkdirSync(folder);
      one.prepare?.(folder);
      await one.before?.((tool, args) => client.callTool({ name: tool, arguments: args }), folder);
      const args = one.args(folder);
      const failure = await attempt(client, one.tool, args);
      expect([name, failure?.code]).toEqual([name, one.code]);
      const next = one.follow(failure as Failure, args);
      expect([name, await attempt(client, next.tool ?? one.tool, next.args)]).toEqual([name, null]);
    }
    await overHttp.close();
  },
);

test("what only the operator can open is opened by the key that the hint names", async ({ root, home }) => {
  const args = { path: ".git/hooks/pre-commit", content: "x", create_parents: true };
  const shut = await connectStdio(root, home);
  const failure = await attempt(shut.client, "linux_fs_write", args);
  expect(failure?.code).toBe("PERMISSION_DENIED");
  const key = told(failure as Failure, /(roots\.\w+) = true/);
  await shut.client.close();
  const open = await connectStdio(root, home, "e2e", ["--set", `mcp.linux_ops.${key}=true`]);
  expect(await attempt(open.client, "linux_fs_write", args)).toBeNull();
  await open.client.close();
});

test("a file that is too large to be patched is patched where the key that the hint names allows it", async ({
  root,
  home,
}) => {
  write(root, "f", `${"a\n".repeat(2000)}b\n`);
  const args = { path: "f", old_text: "b", new_text: "c" };
  const tight = await startHttp(root, home, ["--set", "mcp.linux_ops.fs.max_patch_bytes=1024"]);
  const client = await connectHttp(tight);
  const failure = await attempt(client, "linux_fs_patch_block", args);
  expect(failure?.code).toBe("OUTPUT_TOO_LARGE");
  const key = told(failure as Failure, /(fs\.\w+)\./);
  await client.close();
  await tight.stop();
  const wide = await startHttp(root, home, ["--set", `mcp.linux_ops.${key}=1000000`]);
  const second = await connectHttp(wide);
  expect(await attempt(second, "linux_fs_patch_block", args)).toBeNull();
  await second.close();
  await wide.stop();
});
