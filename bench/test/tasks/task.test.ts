import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { McpServer, ToolAnswer } from "../../src/measure/mcp-server.js";
import { repairEdit } from "../../src/measure/tasks/repair-edit.js";
import { tokensOf, type Talk, type Task } from "../../src/measure/tasks/task.js";

const twoCalls: Task = {
  name: "two calls",
  prepare: () => {},
  ways: {
    async ours(talk) {
      await talk.call("a", { b: 1 });
      await talk.call("a", { b: 2 });
    },
    filesystem: () => Promise.resolve(),
    commander: () => Promise.resolve(),
  },
  isDone: (_folder, answer) => answer === "done",
};

const answering = (text: string) =>
  ({ answer: () => Promise.resolve({ text, isError: false }) }) as unknown as McpServer;
const lengthOf = (text: string) => text.length;

test("all that was asked and answered is counted", async () => {
  const asked = JSON.stringify({ name: "a", arguments: { b: 1 } }).length;
  const run = tokensOf(twoCalls, { server: answering("done"), dialect: "ours", folder: "" }, lengthOf);
  expect(await run).toBe(2 * (asked + "done".length));
});

test("a task that was not done has no figure", async () => {
  const run = tokensOf(twoCalls, { server: answering("undone"), dialect: "ours", folder: "" }, lengthOf);
  await expect(run).rejects.toThrow("wrong: the task was not done");
});

test.for([
  ["says nothing of it", "no match", ["edit_block", "read_file", "edit_block"]],
  ["shows it", "  client.cache.set(`invoice:${id}`, invoice, client.maxAge);", ["edit_block", "edit_block"]],
  [
    "marks what differs",
    "  client.cache.set(`invoice:${id}`, invoice, client.{-ttlSeconds-}{+maxAge+});",
    ["edit_block", "edit_block"],
  ],
] as const)("after an edit whose answer %s: %j", async ([, text, expected]) => {
  const folder = mkdtempSync(join(tmpdir(), "bench-task-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const called: string[] = [];
  const talk: Talk = {
    call(name): Promise<ToolAnswer> {
      called.push(name);
      return Promise.resolve({ text, isError: false });
    },
  };
  repairEdit.prepare(folder);
  await repairEdit.ways.commander(talk, folder);
  expect(called).toEqual(expected);
  expect(repairEdit.isDone(folder, "")).toBe(false);
});
