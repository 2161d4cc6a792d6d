import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { test } from "../../helpers.js";

test("makes a folder and those that lead to it, and tells only what was made", async ({ root, ops }) => {
  const path = join(root, "a/b/c");
  expect(await ops.call("linux.fs_mkdirs", { path })).toMatchObject({
    ok: true,
    path,
    created: [join(root, "a"), join(root, "a/b"), path],
  });
  expect(statSync(path).isDirectory()).toBe(true);
  expect(await ops.call("linux.fs_mkdirs", { path })).toEqual({ ok: true, path, created: [], undo: null });
  await expect(ops.call("linux.fs_mkdirs", { path, exist_ok: false })).rejects.toMatchObject({
    code: "ALREADY_EXISTS",
  });
});

test("a file in the way is named, and nothing stays behind", async ({ root, ops }) => {
  writeFileSync(join(root, "file"), "");
  for (const path of ["file", "file/x"]) {
    await expect(ops.call("linux.fs_mkdirs", { path })).rejects.toMatchObject({ code: "NOT_A_DIRECTORY" });
  }
  await expect(ops.call("linux.fs_mkdirs", { path: "new/.vscode" })).rejects.toMatchObject({
    code: "PERMISSION_DENIED",
  });
  expect(existsSync(join(root, "new/.vscode"))).toBe(false);
});
