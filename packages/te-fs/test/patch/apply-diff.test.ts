import { chmodSync, existsSync, linkSync, readFileSync, readdirSync, statSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import type { ApplyDiffOptions, Files } from "../../src/index.js";
import { codeOf, failure, freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";

function apply(files: Files, diff: string, more: Partial<ApplyDiffOptions> = {}) {
  return files.applyDiff(diff, { owner: "o", session: "s", maxBytes: 1_000_000, ...more });
}

/** Everything below a folder: names, modes, content. */
function snapshot(root: string): string {
  return execFileSync(
    "sh",
    ["-c", "find . | sort | xargs -d '\\n' stat -c '%n %f %s' && find . -type f | sort | xargs -d '\\n' cat"],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
}

const EVERYTHING = `diff --git a/changed b/changed
--- a/changed
+++ b/changed
@@ -1,3 +1,3 @@
 one
-two
+TWO
 three
diff --git a/new/made b/new/made
new file mode 100755
--- /dev/null
+++ b/new/made
@@ -0,0 +1 @@
+made
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/old-name b/new-name
similarity index 100%
rename from old-name
rename to new-name
diff --git a/moved b/sub/moved
similarity index 50%
rename from moved
rename to sub/moved
--- a/moved
+++ b/sub/moved
@@ -1,2 +1,2 @@
 a
-b
+B
diff --git a/script b/script
old mode 100644
new mode 100755
`;

function tree(): string {
  return plant(freshDir(), {
    changed: "one\ntwo\nthree\n",
    gone: "gone\n",
    "old-name": "same\n",
    moved: "a\nb\n",
    script: "#!/bin/sh\n",
  });
}

test("files are changed, made, deleted, renamed and given modes by one diff", async () => {
  const root = tree();
  const { files, backups } = await apply(filesIn(root), EVERYTHING);
  expect(
    files.map(({ kind, path, from }) => [kind, path.slice(root.length), from?.slice(root.length) ?? null]),
  ).toEqual([
    ["modify", "/changed", null],
    ["create", "/new/made", null],
    ["delete", "/gone", null],
    ["rename", "/new-name", "/old-name"],
    ["rename", "/sub/moved", "/moved"],
    ["modify", "/script", null],
  ]);
  expect(backups).toEqual([]);
  expect(readdirSync(root).toSorted()).toEqual(["changed", "new", "new-name", "script", "sub"]);
  const read = (name: string) => readFileSync(`${root}/${name}`, "utf8");
  expect([read("changed"), read("new/made"), read("new-name"), read("sub/moved")]).toEqual([
    "one\nTWO\nthree\n",
    "made\n",
    "same\n",
    "a\nB\n",
  ]);
  expect([statSync(`${root}/new/made`).mode & 0o777, statSync(`${root}/script`).mode & 0o777]).toEqual([0o755, 0o755]);
});

test("a dry run changes nothing and tells the same", async () => {
  const root = tree();
  const before = snapshot(root);
  const dry = await apply(filesIn(root), EVERYTHING, { dryRun: true });
  expect(snapshot(root)).toBe(before);
  expect(dry.files).toEqual((await apply(filesIn(root), EVERYTHING)).files);
});

test("where one hunk does not fit, none of the files is touched", async () => {
  const root = tree();
  const before = snapshot(root);
  const files = filesIn(root);
  const wrong = EVERYTHING.replace("-b\n+B", "-x\n+B");
  expect(await failure(apply(files, wrong))).toMatchObject({
    code: "PATCH_FAILED",
    message: expect.stringContaining("moved"),
  });
  expect(snapshot(root)).toBe(before);
});

test.for([
  ["a file outside", "--- a/x\n+++ b/../../etc/x\n@@ -0,0 +1 @@\n+x\n", "INVALID_PATH"],
  ["an absolute file outside", "--- /dev/null\n+++ /etc/llmc-must-not-be\n@@ -0,0 +1 @@\n+x\n", "INVALID_PATH"],
  ["a file through a link that leads out", "--- /dev/null\n+++ b/out/x\n@@ -0,0 +1 @@\n+x\n", "INVALID_PATH"],
  ["a hook", "--- /dev/null\n+++ b/.git/hooks/pre-commit\n@@ -0,0 +1 @@\n+x\n", "PERMISSION_DENIED"],
  ["a file that is there", "--- /dev/null\n+++ b/gone\n@@ -0,0 +1 @@\n+x\n", "ALREADY_EXISTS"],
  ["a file that is not there", "--- a/none\n+++ b/none\n@@ -1 +1 @@\n-a\n+b\n", "NOT_FOUND"],
  [
    "one file by two names",
    "--- a/changed\n+++ b/changed\n@@ -2 +2 @@\n-two\n+2\n--- a/alias\n+++ b/alias\n@@ -1 +1 @@\n-one\n+1\n",
    "PATCH_FAILED",
  ],
] as const)("%s is refused, and a file that comes before it in the diff stays as it was", async ([, part, code]) => {
  const root = plant(tree(), { out: { to: "/etc" }, alias: { to: "changed" } });
  const before = snapshot(root);
  const first = "--- a/script\n+++ b/script\n@@ -1 +1 @@\n-#!/bin/sh\n+#!/bin/bash\n";
  expect(await codeOf(apply(filesIn(root), first + part))).toBe(code);
  expect(snapshot(root)).toBe(before);
});

test("backups stand beside the files under names that were free, and only of what was there", async () => {
  const root = plant(tree(), { "changed.bak": "older\n" });
  const { backups } = await apply(filesIn(root), EVERYTHING, { backup: true });
  expect(backups.map((path) => path.slice(root.length + 1))).toEqual([
    "changed.bak.1",
    "gone.bak",
    "old-name.bak",
    "moved.bak",
    "script.bak",
  ]);
  expect([readFileSync(`${root}/changed.bak`, "utf8"), readFileSync(`${root}/changed.bak.1`, "utf8")]).toEqual([
    "older\n",
    "one\ntwo\nthree\n",
  ]);
});

test("mode, other hard links and untouched bytes stay as they were", async () => {
  const root = plant(freshDir(), { "in/f": Buffer.from("\xff\xfe not utf-16\r\nsecond\r\n", "latin1"), "out/x": "" });
  chmodSync(`${root}/in/f`, 0o640);
  linkSync(`${root}/in/f`, `${root}/out/other`);
  await apply(filesIn(`${root}/in`), "--- a/f\n+++ b/f\n@@ -2 +2 @@\n-second\n+SECOND\n").catch(() => {});
  expect(statSync(`${root}/in/f`).mode & 0o777).toBe(0o640);
  expect(readFileSync(`${root}/out/other`, "latin1")).toBe("\xff\xfe not utf-16\r\nsecond\r\n");
});

test("paths start from cwd", async () => {
  const root = plant(freshDir(), { "sub/f": "a\n", f: "a\n" });
  await apply(filesIn(root), "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", { cwd: "sub" });
  expect([readFileSync(`${root}/f`, "utf8"), readFileSync(`${root}/sub/f`, "utf8")]).toEqual(["a\n", "b\n"]);
});

test("a file above the limit is refused", async () => {
  const root = plant(freshDir(), { f: "a\n".repeat(600) });
  expect(await codeOf(apply(filesIn(root), "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", { maxBytes: 1000 }))).toBe(
    "OUTPUT_TOO_LARGE",
  );
  expect(existsSync(`${root}/f.bak`)).toBe(false);
});

test("a hunk that was there already is passed over and told, and the undo takes back the rest", async () => {
  const root = plant(freshDir(), { "cart.py": "ONE\nb\nc\nd\ne\nf\ntwo\n", "tax.py": "x\n" });
  const files = filesIn(root, { stateDir: freshDir() });
  const diff =
    "--- a/cart.py\n+++ b/cart.py\n@@ -1,2 +1,2 @@\n-one\n+ONE\n b\n@@ -6,2 +6,2 @@\n f\n-two\n+TWO\n" +
    "--- a/tax.py\n+++ b/tax.py\n@@ -1 +1 @@\n-x\n+y\n";
  const { undo, notes } = await apply(files, diff);
  expect(notes).toEqual(["cart.py: hunk 1 was there already"]);
  const texts = () => ["cart.py", "tax.py"].map((name) => readFileSync(`${root}/${name}`, "utf8"));
  expect(texts()).toEqual(["ONE\nb\nc\nd\ne\nf\nTWO\n", "y\n"]);
  expect(await failure(apply(files, diff))).toMatchObject({
    code: "PATCH_FAILED",
    message: "cart.py already has hunks 1, 2 (lines 1, 6). tax.py already has hunk 1 (line 1).",
  });
  await files.undo(undo?.id, { owner: "o", session: "s" });
  expect(texts()).toEqual(["ONE\nb\nc\nd\ne\nf\ntwo\n", "x\n"]);
});

test("a file in windows-1252 keeps its encoding, and that is told", async () => {
  const root = plant(freshDir(), { f: Buffer.from("caf\xe9\ntea\n", "latin1") });
  const { files } = await apply(filesIn(root), "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-café\n+“café”\n tea\n");
  expect(files).toMatchObject([{ kind: "modify", encoding: "windows-1252" }]);
  expect(readFileSync(`${root}/f`)).toEqual(Buffer.from("\x93caf\xe9\x94\ntea\n", "latin1"));
});
