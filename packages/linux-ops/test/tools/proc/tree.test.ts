import { expect } from "vitest";
import { test, textOf } from "../../helpers.js";
import { LONG, shell } from "./programs.js";

test("a process with all below it: sums, siblings of one kind as one", async ({ ops, root }) => {
  const top = await shell("for i in 1 2 3; do sleep 710 & done; (sleep 711 & echo ready; wait) & wait");
  const tell = (args: object) => ops.call("linux.proc_tree", { pid: top.pid, ...args });
  await expect
    .poll(async () => (await tell({})).nodes.map(({ command, children, folded }) => [command, children, folded]), LONG)
    .toEqual([
      [expect.stringContaining("/bin/sh -c"), 5, undefined],
      ["sleep 710", 0, 3],
      [expect.stringContaining("/bin/sh -c"), 1, undefined],
      ["sleep 711", 0, undefined],
    ]);

  expect(await tell({ depth: 0 })).toMatchObject({ depth: 0, truncated: true, deeper: 5, nodes: [{ pid: top.pid }] });
  const lines = (await textOf(root, "linux.proc_tree", { pid: top.pid })).split("\n");
  expect(lines.slice(1).map((line) => /^ */.exec(line)?.[0].length)).toEqual([0, 2, 2, 4]);
  expect(lines[2]).toMatch(/sleep 710 ×3$/);
});

test("all processes, within what an answer may cost", async ({ ops }) => {
  const { nodes, depth } = await ops.call("linux.proc_tree", {});

  expect(nodes.map(({ pid }) => pid)).toContain(1);
  expect(depth).toBeLessThanOrEqual(4);
});

test("a pid that nobody has is not found", async ({ ops }) => {
  await expect(ops.call("linux.proc_tree", { pid: 2 ** 22 + 5 })).rejects.toMatchObject({ code: "PROCESS_NOT_FOUND" });
  await expect(ops.call("linux.proc_tree", { pid: -1 })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});
