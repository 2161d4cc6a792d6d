import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";
import { watchReads } from "../watched-reads.js";

const me = { owner: "o", session: "s", maxBytes: 8 * 1024 * 1024 };
const filler = "a line of some words\n";

const patchedBy = {
  "a patch": (files: ReturnType<typeof filesIn>) =>
    files.patch("f", { ...me, edits: [{ oldText: "first\n", newText: "1st\n" }] }),
  "a diff": (files: ReturnType<typeof filesIn>) =>
    files.applyDiff("--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-first\n+1st\n a line of some words\n", me),
  "a diff that deletes it": (files: ReturnType<typeof filesIn>) =>
    files.applyDiff("--- a/f\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-first\n-a line of some words\n", me),
};

test.each([
  ["a patch", 1],
  ["a patch", 10_000],
  ["a patch", 100_000],
  ["a diff", 1],
  ["a diff", 10_000],
  ["a diff that deletes it", 1],
] as const)("%s reads a file of %d lines once, and undo brings its old content back", async (way, lines) => {
  const root = freshDir();
  const old = "first\n" + filler.repeat(lines);
  plant(root, { f: old });
  const files = filesIn(root, { stateDir: freshDir() });
  await files.write("other", Buffer.from("the first change reads who this process is"), { ...me, mode: "rewrite" });
  const seen = watchReads();
  await patchedBy[way](files);
  expect(seen.reduce((sum, { count }) => sum + count, 0)).toBe(old.length);
  await files.undo(undefined, me);
  expect(readFileSync(join(root, "f"), "utf8") === old).toBe(true);
});
