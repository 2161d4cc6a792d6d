import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { kept as test, textOf } from "../../helpers.js";

const DIFF = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-old\n+new\n";

test("changes a repository by a diff or one file by edits, and each can be taken back", async ({ root, ops }) => {
  mkdirSync(join(root, "repo"));
  const path = join(root, "repo/f");
  writeFileSync(path, "old\n");
  expect(await ops.call("repo_write_patch", { root: "repo", diff: DIFF })).toEqual({
    ok: true,
    files_modified: [path],
    message: "Patched 1 file",
    undo: { id: expect.any(String), held_bytes: 4 },
  });
  const edits = [{ old_text: "new", new_text: "newer" }];
  expect(await ops.call("repo_write_patch", { root: "repo", path: "f", edits })).toMatchObject({
    files_modified: [path],
  });
  expect(readFileSync(path, "utf8")).toBe("newer\n");
  await ops.call("linux.fs_undo", {});
  await ops.call("linux.fs_undo", {});
  expect(readFileSync(path, "utf8")).toBe("old\n");
});

test("nothing outside the repository is changed, though it may lie in a root", async ({ root, ops }) => {
  mkdirSync(join(root, "repo"));
  writeFileSync(join(root, "f"), "old\n");
  writeFileSync(join(root, "repo/f"), "old\n");
  const out = `${DIFF}--- /dev/null\n+++ b/../made\n@@ -0,0 +1 @@\n+x\n`;
  await expect(ops.call("repo_write_patch", { root: "repo", diff: out })).rejects.toMatchObject({
    code: "INVALID_PATH",
  });
  const edits = [{ old_text: "old", new_text: "new" }];
  await expect(ops.call("repo_write_patch", { root: "repo", path: "../f", edits })).rejects.toMatchObject({
    code: "INVALID_PATH",
  });
  expect([existsSync(join(root, "made")), readFileSync(join(root, "f"), "utf8")]).toEqual([false, "old\n"]);
  expect(readFileSync(join(root, "repo/f"), "utf8")).toBe("old\n");
});

test.for([[{}], [{ diff: DIFF, path: "f" }], [{ path: "f" }], [{ edits: [{ old_text: "a", new_text: "b" }] }]])(
  "%j is neither a diff nor a path with edits",
  async ([args], { root, ops }) => {
    mkdirSync(join(root, "repo"));
    await expect(ops.call("repo_write_patch", { root: "repo", ...args })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  },
);

test("tells which of the files somebody else had changed since they were read", async ({ root, ops }) => {
  mkdirSync(join(root, "repo"));
  for (const name of ["f", "g"]) writeFileSync(join(root, "repo", name), "old\nmore\n");
  const read = () => ops.call("repo_read", { root: "repo", path: "f" });
  const theirs = (text: string) => writeFileSync(join(root, "repo/f"), text);
  await read();
  theirs("old\nmore and more\n");
  const diff = `${DIFF}${DIFF.replaceAll("/f", "/g")}`;
  const note = "Another program changed the file since this session read it.";
  expect(await ops.call("repo_write_patch", { root: "repo", diff })).toMatchObject({ note: `${root}/repo/f: ${note}` });
  const edits = [{ old_text: "new", new_text: "newer" }];
  expect(await ops.call("repo_write_patch", { root: "repo", path: "f", edits })).toMatchObject({ note });
  await read();
  edits[0] = { old_text: "newer", new_text: "newest" };
  expect(await ops.call("repo_write_patch", { root: "repo", path: "f", edits })).not.toHaveProperty("note");
});

test("what was there already is told, and the text is one line", async ({ root, ops }) => {
  mkdirSync(join(root, "repo"));
  writeFileSync(join(root, "repo/f"), "new\n");
  writeFileSync(join(root, "repo/g"), "old\n");
  const diff = `${DIFF}${DIFF.replaceAll("/f", "/g")}`;
  expect(await ops.call("repo_write_patch", { root: "repo", diff })).toMatchObject({
    files_modified: [join(root, "repo/g")],
    note: "f: hunk 1 was there already",
  });
  const edits = [
    { old_text: "old", new_text: "new" },
    { old_text: "new", new_text: "newer" },
  ];
  const text = await textOf(root, "repo_write_patch", { root: "repo", path: "g", edits });
  expect(text.replace(/no undo: [^\]]*/, "no undo")).toBe(
    "[repo · 1 file patched · edits[0] was there already · no undo]",
  );
});
