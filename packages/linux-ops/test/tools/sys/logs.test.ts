import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, onTestFinished } from "vitest";
import type { McpInput } from "@llmc/config";
import { fakeProgram } from "../../fake-program.js";
import { opsWith, test, textOf } from "../../helpers.js";

interface Line {
  readonly message: string;
  readonly priority?: number;
  readonly source?: string;
}

/** A journal of these lines, a second apart, read by journalctl newest first. Composed. */
function journal(lines: readonly Line[]): McpInput {
  const { folder } = fakeProgram("journalctl", "cat journal");
  const entries = lines.map(({ message, priority = 6, source = "app" }, index) =>
    JSON.stringify({
      __CURSOR: `s=1;i=${index + 1};b=${"a".repeat(32)};m=1;t=1;x=1`,
      __REALTIME_TIMESTAMP: String(new Date(2026, 0, 31, 10, 0, index).getTime() * 1000),
      SYSLOG_IDENTIFIER: source,
      PRIORITY: String(priority),
      MESSAGE: message,
    }),
  );
  writeFileSync(join(folder, "journal"), `${entries.toReversed().join("\n")}\n`);
  return { linux_ops: { commands: { path_extra: [folder] }, features: { logs_enabled: true } } };
}

test("closed until the operator opens it", async ({ ops }) => {
  await expect(ops.call("linux.sys_logs", {})).rejects.toMatchObject({
    code: "FEATURE_DISABLED",
    hint: expect.stringContaining("features.logs_enabled"),
  });
});

test("a few lines are told as they are", async ({ root }) => {
  const mcp = journal([{ message: "started" }, { message: "disk failed", priority: 3, source: "kernel" }]);

  expect(await textOf(root, "linux.sys_logs", {}, mcp)).toBe(
    ["[journal · 2 lines]", "10:00:00 app: started", "10:00:01 kernel: disk failed"].join("\n"),
  );
});

test("a flood is a template, the rare lines stay, and all of it is behind the handle", async ({ root }) => {
  const flood = Array.from({ length: 2000 }, (_, index) => ({ message: `GET /item/${index} took ${index % 90} ms` }));
  const lines = [...flood.slice(0, 900), { message: "disk sda1 is failing", priority: 2 }, ...flood.slice(900)];
  const mcp = journal(lines);
  const ops = opsWith(root, mcp);
  onTestFinished(() => ops.close());
  const { lines: told, templates, handle, truncated, total } = await ops.call("linux.sys_logs", { lines: 5000 });

  expect(templates).toMatchObject([{ text: "app: GET /item/* took * ms", count: 2000 }]);
  expect(told).toEqual([expect.stringMatching(/app: disk sda1 is failing$/)]);
  expect([truncated, total]).toEqual([false, 2001]);
  const slice = await ops.call("linux.handle_read", { handle: handle ?? "", limit: 1_048_576 });
  expect(slice.data.split("\n")).toHaveLength(2002);
  expect(slice.data).toContain("GET /item/1234 took");
  expect(countTokens(await textOf(root, "linux.sys_logs", { lines: 5000 }, mcp))).toBeLessThan(250);
});

test("secrets are masked, in the answer and behind the handle", async ({ root }) => {
  const secrets = ["hunter2secret", "ghp_abcdefghijklmnopqrstuvwxyz0123", "s3cr3tvalue", "AKIAABCDEFGHIJKLMNOP"];
  const [password, token, authorization, key] = secrets;
  const lines = [
    { message: `login password=${password}` },
    { message: `using ${token}` },
    { message: `Authorization: Bearer ${authorization}` },
    { message: `key ${key} at https://alice:${password}@example.org` },
    ...Array.from({ length: 40 }, (_, index) => ({ message: `retry ${index} with token=${authorization}` })),
  ];
  const ops = opsWith(root, journal(lines));
  onTestFinished(() => ops.close());
  const answer = await ops.call("linux.sys_logs", {});
  const { data } = await ops.call("linux.handle_read", { handle: answer.handle ?? "" });

  for (const secret of secrets) expect(JSON.stringify(answer) + data).not.toContain(secret);
  expect(data).toContain("***");
});

test("a line stays one line, whatever is in it", async ({ root }) => {
  const text = await textOf(root, "linux.sys_logs", {}, journal([{ message: "one\ntwo \u001b[31mred\u202e" }]));

  expect(text.split("\n")).toHaveLength(2);
  expect(text).toContain(String.raw`one\ntwo \u001b[31mred\u202e`);
});

test("lines of wrong times, priorities and units", async ({ root }) => {
  const mcp = journal([]);
  const wrong: [Record<string, unknown>, RegExp][] = [
    [{ since: "zzz" }, /since is "zzz", which is not a valid time/],
    [{ since: "1h", until: "2h" }, /since is later than until/],
    [{ priority: "bad" }, /"emerg", "alert"/],
    [{ unit: "a;b" }, /not a valid name of a unit/],
    [{ cursor: "x" }, /cursor is not one/],
    [{ lines: 0 }, /at least 1/],
  ];
  for (const [args, message] of wrong)
    await expect(textOf(root, "linux.sys_logs", args, mcp)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(message),
    });
});

test("sys_services tells the last distinct lines of a unit once logs are open", async ({ root }) => {
  const mcp = journal([{ message: "try 1 failed" }, { message: "try 2 failed" }, { message: "giving up" }]);
  const [folder = ""] = mcp.linux_ops?.commands?.path_extra ?? [];
  writeFileSync(
    join(folder, "systemctl"),
    "#!/bin/sh\nprintf 'Id=app.service\\nLoadState=loaded\\nActiveState=failed\\nSubState=failed\\nResult=exit-code\\nExecMainCode=1\\nExecMainStatus=2\\n'\n",
    { mode: 0o755 },
  );
  const text = await textOf(root, "linux.sys_services", { name: "app" }, mcp);

  expect(text).toContain("why: it exited with 2\nlog:\n  10:00:01 app: try 2 failed\n  10:00:02 app: giving up");
});
