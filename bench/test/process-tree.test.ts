import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { endAll, residentMiB, treeOf } from "../src/measure/process-tree.js";

test("a tree holds the process, its children and theirs, and ends as a whole", async () => {
  const shell = spawn("sh", ["-c", "sleep 60 & echo $!; wait"], { stdio: ["ignore", "pipe", "ignore"] });
  const [line] = (await once(shell.stdout, "data")) as [Buffer];
  const grandchild = Number(line.toString());
  const tree = treeOf(process.pid);
  expect(tree.map(({ pid }) => pid)).toEqual(expect.arrayContaining([process.pid, shell.pid, grandchild]));

  const below = treeOf(shell.pid as number);
  expect(below.map(({ pid }) => pid)).toEqual([shell.pid, grandchild]);
  expect(residentMiB(shell.pid as number)).toBeGreaterThan(0);

  const closed = once(shell, "close");
  endAll(below);
  await closed;
  expect(treeOf(shell.pid as number)).toEqual([]);
});

test("a number that has become another process's is left alone", async () => {
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  await once(child, "spawn");
  const ended = once(child, "exit");
  endAll([{ pid: child.pid as number, parent: process.pid, started: "1" }]);
  // The first signal that reaches it is the one that ends it.
  child.kill("SIGTERM");
  expect(await ended).toEqual([null, "SIGTERM"]);
});
