import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fill } from "../../src/measure/everyday/attempt.js";
import { openProject, type Project } from "../../src/measure/everyday/project.js";
import type { Task } from "../../src/measure/everyday/task.js";
import { EVERYDAY } from "../../src/measure/everyday/tasks.js";

let folder: string;
let project: Project;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bench-everyday-"));
  project = await openProject(join(folder, "shop"));
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** Returns command lines that do a task; none if the task needs a server, or programs that a machine may lack. */
function linesOf({ shell = [], ours }: Task): readonly string[] {
  const [line = []] = [...shell, ...ours.filter((way) => way.every(([tool]) => tool === "te_run")).map(commandsOf)];
  return line.some((command) => command.includes("curl")) ? [] : line;
}

function commandsOf(way: Task["ours"][number]): string[] {
  return way.map(([, args]) => (args as { command: string }).command);
}

function done(lines: readonly string[]): string {
  project.reset();
  const said = lines.map((command) => {
    const { command: filled } = fill({ command }, "", project) as { command: string };
    const { stdout, stderr } = spawnSync("bash", ["-c", filled], { cwd: project.folder, encoding: "utf8" });
    return stdout + stderr;
  });
  return said.join("\n");
}

test("there are at least twenty tasks, each with a name of its own", () => {
  expect(new Set(EVERYDAY.map(({ name }) => name)).size).toBe(EVERYDAY.length);
  expect(EVERYDAY.length).toBeGreaterThanOrEqual(20);
});

test.for(EVERYDAY.map((task) => [task.name, task] as const))("%s: is not done by saying nothing", ([, { check }]) => {
  project.reset();
  expect(check("", project)).toBe(false);
});

const BY_LINES = EVERYDAY.filter((task) => linesOf(task).length > 0);

test.for(BY_LINES.map((task) => [task.name, task] as const))("%s: is done by a command line", ([, task]) => {
  expect(task.check(done(linesOf(task)), project)).toBe(true);
});

test("no answer does for another task", () => {
  const reads = BY_LINES.filter(({ kind }) => kind !== "write");
  const answers = reads.map((task) => [task, done(linesOf(task))] as const);
  project.reset();
  const taken = EVERYDAY.filter(({ midway }) => midway === undefined).flatMap(({ name, check }) =>
    answers.filter(([task, said]) => task.name !== name && check(said, project)).map(([task]) => [name, task.name]),
  );
  // A build prints the names of all sources too.
  expect(taken).toEqual([["list the sources of a project", "a build that fails: which error"]]);
});

test("a project is what it was after a reset", () => {
  const status = (): string => done(["git status --porcelain --ignored; git log --format=%H%s; git diff"]);
  const before = status();
  spawnSync("bash", ["-c", "rm -r src; mkdir -p a/b; echo x > README.md"], { cwd: project.folder });
  expect(status()).toBe(before);
  expect(before).toContain("!! logs/");
});
