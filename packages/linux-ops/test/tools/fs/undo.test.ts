import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";
import { kept as test, opsWith } from "../../helpers.js";

/** Names, modes, link targets, times and contents of all that is there. */
function snapshot(root: string): string {
  return execFileSync(
    "sh",
    ["-c", "find . -mindepth 1 -printf '%P %m %y %l %T@\\n' | sort; find . -type f | sort | xargs -r cat"],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
}

interface WithUndo {
  readonly undo?: { readonly id: string; readonly held_bytes: number } | null | undefined;
}

const idOf = (result: unknown): string => (result as WithUndo).undo?.id ?? "none";

test("a rewrite is taken back by its id, and taking it back can be taken back", async ({ root, ops }) => {
  const path = join(root, "a");
  writeFileSync(path, "old");
  chmodSync(path, 0o640);
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  const before = snapshot(root);
  const written = await ops.call("linux.fs_write", { path, content: "new" });
  expect(written).toMatchObject({ undo: { id: expect.stringMatching(/^U_/), held_bytes: 3 } });
  const undone = await ops.call("linux.fs_undo", { id: idOf(written) });
  expect(undone).toMatchObject({ id: idOf(written), undone: [{ path }], skipped: [] });
  expect(snapshot(root)).toBe(before);
  await ops.call("linux.fs_undo", { id: idOf(undone) });
  expect(readFileSync(path, "utf8")).toBe("new");
});

test("without an id the last change of the session goes, and then the one before", async ({ root, ops }) => {
  const path = join(root, "a");
  await ops.call("linux.fs_write", { path, content: "one" });
  await ops.call("linux.fs_write", { path, content: "two" });
  await ops.call("linux.fs_write", { path, content: "+", mode: "append" });
  const seen = [];
  for (let left = 3; left > 0; left--) {
    await ops.call("linux.fs_undo", {});
    seen.push(existsSync(path) ? readFileSync(path, "utf8") : null);
  }
  expect(seen).toEqual(["two", "one", null]);
  await expect(ops.call("linux.fs_undo", {})).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("what somebody else changed since is not overwritten by an undo", async ({ root, ops }) => {
  const path = join(root, "a");
  writeFileSync(path, "old");
  const written = await ops.call("linux.fs_write", { path, content: "new" });
  writeFileSync(path, "theirs");
  await expect(ops.call("linux.fs_undo", { id: idOf(written) })).rejects.toMatchObject({ code: "STALE_FILE" });
  expect(readFileSync(path, "utf8")).toBe("theirs");
});

test("another session is told that the id does not exist, and changes nothing", async ({ root, ops }) => {
  const path = join(root, "a");
  const written = await ops.call("linux.fs_write", { path, content: "new" });
  for (const args of [{ id: idOf(written) }, {}]) {
    await expect(ops.call("linux.fs_undo", args, { session: "other" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  expect(readFileSync(path, "utf8")).toBe("new");
});

test("a diff, a patch and folders are taken back whole", async ({ root, ops }) => {
  writeFileSync(join(root, "one"), "a\nb\n");
  writeFileSync(join(root, "gone"), "x\n");
  symlinkSync("one", join(root, "link"));
  mkdirSync(join(root, "dir"));
  // Node sets times by a fraction of seconds, which loses what is below a microsecond.
  for (const name of ["dir", "one", "gone"]) utimesSync(join(root, name), 1_700_000_000, 1_700_000_000);
  const before = snapshot(root);
  const diff_text = `--- a/one\n+++ b/one\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n--- /dev/null\n+++ b/sub/deep/new\n@@ -0,0 +1 @@\n+n\n`;
  await ops.call("linux.fs_apply_diff", { diff_text });
  await ops.call("linux.fs_patch_block", { path: "one", old_text: "a", new_text: "A" });
  await ops.call("linux.fs_mkdirs", { path: "x/y" });
  for (let left = 3; left > 0; left--) await ops.call("linux.fs_undo", {});
  expect(snapshot(root)).toBe(before);
});

test("with undo off, and without a data folder, changes go ahead and say why they cannot be taken back", async ({
  root,
  ops,
}) => {
  expect(await ops.call("linux.fs_write", { path: "a", content: "1" })).toMatchObject({ undo: { held_bytes: 0 } });
  const off = opsWith(root, { linux_ops: { undo: { enabled: false } } });
  expect(await off.call("linux.fs_write", { path: "a", content: "2" })).toMatchObject({
    undo: null,
    undo_reason: expect.stringContaining("undo.enabled"),
  });
  await off.close();
  expect(statSync(join(root, "a")).size).toBe(1);
});
