import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { opsWith, test, textOf } from "../../helpers.js";

const DIFF = `--- a/one
+++ b/one
@@ -1,2 +1,2 @@
 a
-b
+B
--- /dev/null
+++ b/sub/new
@@ -0,0 +1 @@
+made
`;

test("applies a diff to several files and says what it did to each", async ({ root, ops }) => {
  writeFileSync(join(root, "one"), "0\na\nb\n");
  expect(await ops.call("linux.fs_apply_diff", { diff_text: DIFF, backup: true })).toEqual({
    files_modified: [join(root, "one"), join(root, "sub/new")],
    backups_created: true,
    backups: [join(root, "one.bak")],
    message: "Applied diff to 2 files",
    files: [
      { path: join(root, "one"), change: "modify", notes: ["hunk 1: 1 line lower than stated"] },
      { path: join(root, "sub/new"), change: "create" },
    ],
    undo: null,
    undo_reason: expect.any(String),
  });
  expect([readFileSync(join(root, "one"), "utf8"), readFileSync(join(root, "sub/new"), "utf8")]).toEqual([
    "0\na\nB\n",
    "made\n",
  ]);
});

test("a dry run names the files and leaves them alone", async ({ root, ops }) => {
  writeFileSync(join(root, "one"), "a\nb\n");
  expect(await ops.call("linux.fs_apply_diff", { diff_text: DIFF, dry_run: true })).toMatchObject({
    message: "The diff fits 2 files; nothing was changed",
    backups_created: false,
    dry_run: true,
  });
  expect([readFileSync(join(root, "one"), "utf8"), existsSync(join(root, "sub"))]).toEqual(["a\nb\n", false]);
});

test("a hunk that does not fit is an error that says where it nearly does, and the file stays as it was", async ({
  root,
  ops,
}) => {
  writeFileSync(join(root, "one"), "x\na\nbb\n");
  await expect(ops.call("linux.fs_apply_diff", { diff_text: DIFF })).rejects.toMatchObject({
    code: "PATCH_FAILED",
    message: expect.stringContaining("line 2"),
  });
  expect([readFileSync(join(root, "one"), "utf8"), existsSync(join(root, "sub"))]).toEqual(["x\na\nbb\n", false]);
});

test("the form with *** Begin Patch is taken as well, below cwd", async ({ root, ops }) => {
  await ops.call("linux.fs_mkdirs", { path: "lib" });
  writeFileSync(join(root, "lib/f"), "a\nb\n");
  const diff_text = "*** Begin Patch\n*** Update File: f\n@@\n a\n-b\n+c\n*** End Patch\n";
  await ops.call("linux.fs_apply_diff", { diff_text, cwd: "lib" });
  expect(readFileSync(join(root, "lib/f"), "utf8")).toBe("a\nc\n");
});

test("a file above fs.max_patch_bytes is refused", async ({ root }) => {
  const ops = opsWith(root, { linux_ops: { fs: { max_patch_bytes: 1024 } } });
  writeFileSync(join(root, "one"), "a\nb\n".repeat(1000));
  await expect(ops.call("linux.fs_apply_diff", { diff_text: DIFF })).rejects.toMatchObject({
    code: "OUTPUT_TOO_LARGE",
  });
  await ops.close();
});

test("the text is one line for one file, and one more for each of several, below the folder they share", async ({
  root,
}) => {
  writeFileSync(join(root, "one"), "0\na\nb\n");
  const apply = (diff_text: string, more = {}) => textOf(root, "linux.fs_apply_diff", { diff_text, ...more });
  const several = await apply(DIFF, { backup: true });
  expect(several.replace(/no undo: [^\]]*/, "no undo")).toBe(
    `[2 files · backup: one.bak · no undo]\n[one · changed · hunk 1: 1 line lower than stated]\n[sub/new · new]`,
  );
  const moved = "diff --git a/one b/sub/two\nrename from one\nrename to sub/two\n";
  expect(await apply(moved, { dry_run: true })).toBe(
    `[${root}/sub/two · renamed from ${root}/one · dry run, nothing changed]`,
  );
});

test("a hunk that was there already is told in payload and text; all of them are an error", async ({ root, ops }) => {
  const diff_text =
    "--- a/cart.py\n+++ b/cart.py\n@@ -1 +1 @@\n-one\n+ONE\n--- a/tax.py\n+++ b/tax.py\n@@ -1 +1 @@\n-x\n+y\n";
  const write = () => {
    writeFileSync(join(root, "cart.py"), "ONE\n");
    writeFileSync(join(root, "tax.py"), "x\n");
  };
  write();
  expect(await ops.call("linux.fs_apply_diff", { diff_text })).toMatchObject({
    files_modified: [join(root, "tax.py")],
    notes: ["cart.py: hunk 1 was there already"],
  });
  await expect(ops.call("linux.fs_apply_diff", { diff_text })).rejects.toMatchObject({
    code: "PATCH_FAILED",
    message: "cart.py already has hunk 1 (line 1). tax.py already has hunk 1 (line 1).",
  });
  write();
  const text = await textOf(root, "linux.fs_apply_diff", { diff_text });
  expect(text.replace(/no undo: [^\]]*/, "no undo")).toBe(
    `[${root}/tax.py · changed · no undo]\ncart.py: hunk 1 was there already`,
  );
});

test("a file in windows-1252 keeps its encoding, and that is told", async ({ root, ops }) => {
  writeFileSync(join(root, "f"), Buffer.from("caf\xe9\n", "latin1"));
  const diff_text = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-café\n+thé\n";
  expect(await ops.call("linux.fs_apply_diff", { diff_text })).toMatchObject({
    files: [{ change: "modify", notes: ["windows-1252, kept"] }],
  });
  expect(readFileSync(join(root, "f"), "latin1")).toBe("th\xe9\n");
});
