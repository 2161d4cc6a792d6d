import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { countBelow, entriesOf, makeCrowd, makeTree } from "../src/measure/trees.js";

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "bench-trees-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test.for([false, true])("a tree has the entries that it is said to have, linked: %j", (linked) => {
  const folder = freshFolder();
  const size = { folders: 2, filesInEach: 9, linked };
  makeTree(folder, size);
  expect([entriesOf(size), countBelow(folder)]).toEqual([20, 20]);
  expect(readdirSync(join(folder, "module-001"))).toEqual(
    expect.arrayContaining(["part-000.test.ts", "part-001.ts", "part-008.test.ts"]),
  );
  expect(statSync(join(folder, "module-001/part-008.test.ts")).nlink).toBe(linked ? 9 : 1);
});

test("a crowd has as many names as were asked for", () => {
  const folder = freshFolder();
  makeCrowd(folder, 30);
  expect(readdirSync(folder)).toHaveLength(30);
});
