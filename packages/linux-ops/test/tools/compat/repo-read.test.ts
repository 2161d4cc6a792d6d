import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { numbered, test, textOf } from "../../helpers.js";

test("reads a file of a repository by a path from its root", async ({ root, ops }) => {
  mkdirSync(join(root, "repo/src"), { recursive: true });
  writeFileSync(join(root, "repo/src/a.ts"), "one\ntwo\n");
  expect(await ops.call("repo_read", { root: "repo", path: "src/a.ts" })).toEqual({
    content: "one\ntwo\n",
    handle: null,
    meta: { path: join(root, "repo/src/a.ts"), total_lines: 2, truncated: false },
  });
});

test("what max_bytes leaves out is behind a handle", async ({ root, ops }) => {
  mkdirSync(join(root, "repo"));
  writeFileSync(join(root, "repo/long"), numbered(1000));
  const read = await ops.call("repo_read", { root: "repo", path: "long", max_bytes: 10 });
  expect(read).toMatchObject({ content: "1\n2\n3\n4\n5\n", meta: { truncated: true, total_lines: 1000 } });
  const whole = await ops.call("linux.handle_read", { handle: read.handle ?? "" });
  expect(whole.total_bytes).toBe(numbered(1000).length);
});

test.for([["../secret"], ["link"], ["/etc/passwd"]])(
  "%s is outside the repository, though it may lie in a root",
  async ([path = ""], { root, ops }) => {
    mkdirSync(join(root, "repo"));
    writeFileSync(join(root, "secret"), "x");
    symlinkSync("../secret", join(root, "repo/link"));
    await expect(ops.call("repo_read", { root: "repo", path })).rejects.toMatchObject({ code: "INVALID_PATH" });
  },
);

test("the text is one header line and the file", async ({ root }) => {
  mkdirSync(join(root, "repo"));
  writeFileSync(join(root, "repo/a"), "x\n");
  expect(await textOf(root, "repo_read", { root: "repo", path: "a" })).toBe(`[${root}/repo/a · 1 line]\nx\n`);
});
