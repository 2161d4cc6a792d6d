import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { JsonSchemaType } from "@modelcontextprotocol/sdk/validation";
import { describe, expect } from "vitest";
import { connectStdio, test } from "./servers.js";

/** Calls a tool like a client that refuses unlisted arguments. Returns the text of the answer. */
type Call = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<string>;

interface Job {
  readonly title: string;
  readonly run: (call: Call, root: string) => Promise<void>;
}

function strictCaller(client: Client, tools: readonly Tool[]): Call {
  const validator = new AjvJsonSchemaValidator();
  return async (name, args) => {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) throw new Error(`${name} is not listed`);
    const check = validator.getValidator({ ...(tool.inputSchema as JsonSchemaType), additionalProperties: false });
    const { valid, errorMessage } = check(args);
    if (!valid) throw new Error(`${name} ${JSON.stringify(args)}: ${errorMessage}`);
    const result = await client.callTool({ name, arguments: { ...args } });
    return (result.content as { text?: string }[]).map(({ text }) => text ?? "").join("\n");
  };
}

const CART =
  "import tax\n\n\ndef total(price):\n    rate = tax.RATE\n    return price * (1 + rate)\n\n\ndef empty():\n    return 0\n";
const LOG_LINES = 3000;
const HAND_OVER_SOON = "mcp.linux_ops.process_limits.auto_background_after=1";

function plant(root: string): void {
  const files: Readonly<Record<string, string>> = {
    "shop/cart.py": CART,
    "shop/tax.py": "RATE = 0.19\n",
    "shop/user.py": "NAME = 'a'\nname = NAME\n",
    ".env.sample": "KEY=1\n",
    "app.log": Array.from({ length: LOG_LINES }, (_, at) => `request ${at} took ${at % 90} ms\n`).join(""),
    "old/a.txt": "a\n",
    "old/b.txt": "b\n",
    "big/data.bin": "x".repeat(300_000),
  };
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

const idIn = (text: string, pattern: RegExp): string => {
  const found = pattern.exec(text)?.[0];
  if (found === undefined) throw new Error(`no ${String(pattern)} in: ${text}`);
  return found;
};
const processIn = (text: string) => idIn(text, /\bp_[a-z0-9]{6}\b/);
const handleIn = (text: string) => idIn(text, /\bh\d{6}\b/);
const saved = (root: string, path: string) => readFileSync(join(root, path), "utf8");

const FILE_JOBS: readonly Job[] = [
  {
    title: "read a file",
    run: async (call) => expect(await call("linux_fs_read", { path: "shop/cart.py" })).toContain("def total(price):"),
  },
  {
    title: "read the lines in the middle",
    run: async (call) => {
      const text = await call("linux_fs_read", { path: "app.log", offset_lines: 1000, max_lines: 2 });
      expect(text).toContain("request 1000 took 10 ms\nrequest 1001 took 11 ms");
    },
  },
  {
    title: "read the end of a log",
    run: async (call) => {
      const text = await call("linux_fs_read", { path: "app.log", tail_lines: 3 });
      expect(text).toContain(`request ${LOG_LINES - 1} took`);
    },
  },
  {
    title: "read several files",
    run: async (call) => {
      const text = await call("linux_fs_read", { paths: ["shop/tax.py", "shop/user.py"] });
      expect(text).toContain("RATE = 0.19");
      expect(text).toContain("NAME = 'a'");
    },
  },
  {
    title: "list a project",
    run: async (call) => expect(await call("linux_fs_list", { path: "." })).toContain("cart.py"),
  },
  {
    title: "find the largest file",
    run: async (call) => {
      const text = await call("linux_fs_list", { path: ".", sort: "size", depth: 2 });
      expect(text.split("\n")[1]).toContain("big");
    },
  },
  {
    title: "write a file into a new folder",
    run: async (call, root) => {
      await call("linux_fs_write", { path: "src/new/a.py", content: "x = 1\n" });
      expect(saved(root, "src/new/a.py")).toBe("x = 1\n");
    },
  },
  {
    title: "append to a file",
    run: async (call, root) => {
      await call("linux_fs_write", { path: "src/new/a.py", content: "y = 2\n", mode: "append" });
      expect(saved(root, "src/new/a.py")).toBe("x = 1\ny = 2\n");
    },
  },
  {
    title: "replace a text",
    run: async (call, root) => {
      await call("linux_fs_patch_block", { path: "shop/tax.py", old_text: "0.19", new_text: "0.2" });
      expect(saved(root, "shop/tax.py")).toBe("RATE = 0.2\n");
    },
  },
  {
    title: "replace a text in several places",
    run: async (call, root) => {
      const edit = { path: "shop/user.py", old_text: "NAME", new_text: "LABEL" };
      const refused = await call("linux_fs_patch_block", edit);
      const count = Number(/expected_replacements: (\d)/.exec(refused)?.[1]);
      await call("linux_fs_patch_block", { ...edit, expected_replacements: count });
      expect(saved(root, "shop/user.py")).toBe("LABEL = 'a'\nname = LABEL\n");
    },
  },
  {
    title: "make several edits at once",
    run: async (call, root) => {
      const edits = [
        { old_text: "import tax", new_text: "import tax as t" },
        { old_text: "tax.RATE", new_text: "t.RATE" },
      ];
      await call("linux_fs_patch_block", { path: "shop/cart.py", edits });
      expect(saved(root, "shop/cart.py")).toContain("    rate = t.RATE\n");
    },
  },
  {
    title: "apply a diff",
    run: async (call, root) => {
      await call("linux_fs_apply_diff", {
        diff_text: "--- a/shop/tax.py\n+++ b/shop/tax.py\n@@ -1 +1 @@\n-RATE = 0.2\n+RATE = 0.21\n",
      });
      expect(saved(root, "shop/tax.py")).toBe("RATE = 0.21\n");
    },
  },
  {
    title: "rename a file and copy a folder",
    run: async (call, root) => {
      await call("linux_fs_move", { source: "shop/user.py", target: "shop/person.py" });
      await call("linux_fs_move", { source: "shop", target: "shop2", copy: true });
      expect(existsSync(join(root, "shop2/person.py"))).toBe(true);
    },
  },
  {
    title: "delete a folder and bring it back",
    run: async (call, root) => {
      const change = idIn(await call("linux_fs_delete", { path: "old", recursive: true }), /\bu\d{9}\b/);
      expect(existsSync(join(root, "old"))).toBe(false);
      await call("linux_fs_undo", { id: change });
      expect(saved(root, "old/b.txt")).toBe("b\n");
    },
  },
];

const SEARCH_JOBS: readonly Job[] = [
  {
    title: "find a definition and read it whole",
    run: async (call) => {
      const text = await call("linux_search_content", { root: ".", pattern: "def empty", file_glob: "shop/*.py" });
      expect(text).toContain("return 0");
    },
  },
  {
    title: "read the lines around each hit",
    run: async (call) => {
      const text = await call("linux_search_content", { root: "shop", pattern: "t.RATE", context_lines: 1 });
      expect(text).toContain("return price * (1 + rate)");
    },
  },
  {
    title: "count hits",
    run: async (call) => {
      expect(await call("linux_search_content", { root: ".", pattern: "request", mode: "count" })).toContain("3,000");
    },
  },
  {
    title: "find a hidden file by name",
    run: async (call) => {
      const text = await call("linux_search_files", { root: ".", pattern: "env", include_hidden: true });
      expect(text).toContain(".env.sample");
    },
  },
];

const COMMAND_JOBS: readonly Job[] = [
  {
    title: "run a command in a folder with a variable and a time limit",
    run: async (call) => {
      const args = { command: "echo $GREETING; ls", cwd: "shop", env: { GREETING: "hello" }, timeout: 20 };
      const text = await call("te_run", args);
      expect(text).toContain("hello");
      expect(text).toContain("cart.py");
    },
  },
  {
    title: "filter the output of a command afterwards",
    run: async (call) => {
      const handle = handleIn(await call("te_run", { command: "cat app.log" }));
      expect(await call("linux_handle_read", { handle, match: "request 1234 " })).toContain("request 1234 took");
      expect(await call("linux_handle_read", { handle, lines: "10-11" })).toContain("request 9 took");
      expect(await call("linux_search_content", { root: handle, pattern: "request 77 " })).toContain("request 77 took");
    },
  },
  {
    title: "follow a long command to its end",
    run: async (call) => {
      const id = processIn(await call("te_run", { command: "sleep 4; echo built", timeout: 30 }));
      expect(await call("linux_proc_read", { proc_id: id, timeout_ms: 45_000 })).toContain("built");
    },
  },
  {
    title: "ask a REPL several questions",
    run: async (call) => {
      const id = processIn(await call("linux_proc_start", { command: "python3 -i" }));
      const slow = "import time; time.sleep(1); print(6 * 7)";
      expect(await call("linux_proc_send", { proc_id: id, input: slow, wait_ms: 10_000 })).toContain("42");
      expect(await call("linux_proc_send", { proc_id: id, input: "print(8 * 7)" })).toContain("56");
      await call("linux_proc_stop", { proc_id: id });
    },
  },
  {
    title: "start a server, wait for its port, and stop it",
    run: async (call) => {
      const command =
        "node -e \"setTimeout(() => require('http').createServer().listen(0, () => console.log('up')), 500)\"";
      const id = processIn(await call("linux_proc_start", { command, wait_for: "up" }));
      expect(await call("linux_proc_read", { proc_id: id, since: 0 })).toContain("up");
      await call("linux_proc_stop", { proc_id: id });
      expect(await call("linux_proc_sessions", {})).not.toContain(`${id} · running`);
    },
  },
  {
    title: "find a process by its name and end it",
    run: async (call) => {
      await call("linux_proc_start", { command: "sleep 987" });
      const pid = Number(/^\s*(\d+)\b.*sleep/m.exec(await call("linux_proc_list", { name: "sleep" }))?.[1]);
      await call("linux_proc_kill", { pid, signal: "TERM" });
      expect(await call("linux_proc_tree", { pid })).not.toContain("sleep 987");
    },
  },
  {
    title: "see who listens, and how the machine is",
    run: async (call) => {
      expect(await call("linux_proc_list", { ports: true })).not.toBe("");
      expect(await call("linux_sys_snapshot", { include: ["mounts"] })).toContain("/");
    },
  },
];

describe("a client that can only pass listed arguments", { timeout: 120_000 }, () => {
  test("finishes each everyday job", async ({ root, home }) => {
    plant(root);
    const { client } = await connectStdio(root, home, "e2e", ["--set", HAND_OVER_SOON]);
    const { tools } = await client.listTools();
    const call = strictCaller(client, tools);
    const jobs = [...FILE_JOBS, ...SEARCH_JOBS, ...COMMAND_JOBS];
    const failures: string[] = [];
    for (const { title, run } of jobs) {
      try {
        await run(call, root);
      } catch (thrown) {
        failures.push(`${title}: ${(thrown as Error).message}`);
      }
    }
    await client.close();
    expect(failures).toEqual([]);
    expect(jobs.length).toBeGreaterThanOrEqual(25);
  });
});
