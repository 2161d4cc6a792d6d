import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { attempts, cheapest, fill, type Means } from "../../src/measure/everyday/attempt.js";
import type { Project } from "../../src/measure/everyday/project.js";
import { waysOf, type Task } from "../../src/measure/everyday/task.js";
import type { McpServer } from "../../src/measure/mcp-server.js";

const project = { folder: "/tmp/x1y2z3/shop", running: { pid: 7, port: 4001 }, freePort: 4002, reset: () => {} };
const task: Task = {
  name: "say it",
  kind: "read",
  ours: [[["long", { text: "a long way to say it" }]], [["short", {}]]],
  dc: [],
  shell: [["true"]],
  check: (said) => said.includes("it in"),
};

function means(answer: (name: string, args: object) => string): Means {
  const talks = mkdtempSync(join(tmpdir(), "bench-talks-"));
  onTestFinished(() => rmSync(talks, { recursive: true }));
  const server = {
    answer: (name: string, args: object) => Promise.resolve({ text: answer(name, args), isError: false }),
    end: () => Promise.resolve(),
  } as unknown as McpServer;
  return {
    start: () => Promise.resolve(server),
    project: project as unknown as Project,
    countTokens: (text) => text.length,
    talks,
    thinkMs: 0,
  };
}

test("what is asked and answered is counted, with a short name for the project's folder", async () => {
  const answer = `it in ${project.folder}`;
  const { talks, ...rest } = means(() => answer);
  const [, short] = await attempts(task, waysOf(task, "ours"), { ...rest, talks });
  const said = ['{"name":"short","arguments":{}}', "it in /home/ada/shop"];
  expect(short).toEqual({ tokens: said.join("").length, calls: 1 });
  expect(readFileSync(join(talks, "say it, way 2.txt"), "utf8")).toBe(said.join("\n\n"));
});

test("the cheapest way that does the task counts", async () => {
  const outcomes = await attempts(
    task,
    waysOf(task, "ours"),
    means((name) => (name === "te_run" ? "" : "it in")),
  );
  expect(outcomes.map((each) => each instanceof Error)).toEqual([false, false, true]);
  expect(cheapest(outcomes)).toBe(outcomes[1]);
});

test("a task whose first call did nothing is not done", async () => {
  const outcomes = await attempts(
    { ...task, midway: () => false },
    task.ours,
    means(() => "it in"),
  );
  expect(cheapest(outcomes)).toEqual(new Error("wrong: the first call did nothing"));
});

test("a task that no way does has the first reason", async () => {
  const outcomes = await attempts(
    task,
    waysOf(task, "ours"),
    means(() => "no"),
  );
  expect(cheapest(outcomes)).toEqual(new Error("wrong: the task was not done"));
  expect(cheapest([])).toEqual(new Error("it has no tool for that"));
});

test("a server that does not start did nothing", async () => {
  const start = (): Promise<McpServer> => Promise.reject(new Error("it could not be installed"));
  expect(await attempts(task, waysOf(task, "ours"), { ...means(() => ""), start })).toHaveLength(3);
});

test("a shell's ways come after those by tools, for those that have one", () => {
  expect(waysOf(task, "ours").at(-1)).toEqual([["te_run", { command: "true" }]]);
  expect(waysOf(task, "dc")).toEqual([[["start_process", { command: "cd $shop; true", timeout_ms: 5000 }]]]);
  expect(waysOf(task, "fs")).toEqual([]);
});

test("names stand for what was answered, and for the project's own", () => {
  const said = "PID 12 is the first\nPID 13\np_ab12cd H_cmd_1_x search_1_99";
  const args = { pid: "$pid", all: ["$proc", "$handle"], search: "$search", text: "cd $shop; curl :$free $9 $p", n: 4 };
  expect(fill(args, said, project)).toEqual({
    pid: 12,
    all: ["p_ab12cd", "H_cmd_1_x"],
    search: "search_1_99",
    text: "cd /tmp/x1y2z3/shop; curl :4002 $9 $p",
    n: 4,
  });
  expect(fill({ port: "$running" }, "", project)).toEqual({ port: 4001 });
  expect(() => fill({ pid: "$pid" }, "", project)).toThrow("wrong: no answer has a pid");
});
