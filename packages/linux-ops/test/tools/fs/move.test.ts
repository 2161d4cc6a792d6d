import { existsSync, mkdirSync, readFileSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { kept as test } from "../../helpers.js";

const undo = { id: expect.any(String), held_bytes: expect.any(Number) };

test("moves a file and takes it back", async ({ root, ops }) => {
  writeFileSync(join(root, "a"), "x");
  const [source, target] = [join(root, "a"), join(root, "b")];
  expect(await ops.call("linux.fs_move", { source, target })).toEqual({ ok: true, source, target, undo });
  expect([existsSync(source), readFileSync(target, "utf8")]).toEqual([false, "x"]);
  await ops.call("linux.fs_undo", {});
  expect([readFileSync(source, "utf8"), existsSync(target)]).toEqual(["x", false]);
});

test("onto a folder means into it, and the result says where it is now", async ({ root, ops }) => {
  writeFileSync(join(root, "a"), "x");
  mkdirSync(join(root, "d"));
  expect(await ops.call("linux.fs_move", { source: "a", target: "d" })).toMatchObject({ target: join(root, "d/a") });
  expect(readdirSync(join(root, "d"))).toEqual(["a"]);
});

test("nothing is replaced in silence, and what is replaced on demand comes back", async ({ root, ops }) => {
  writeFileSync(join(root, "a"), "mine");
  writeFileSync(join(root, "b"), "theirs");
  const args = { source: "a", target: "b" };
  await expect(ops.call("linux.fs_move", args)).rejects.toMatchObject({
    code: "ALREADY_EXISTS",
    hint: expect.stringContaining("overwrite"),
  });
  expect(readFileSync(join(root, "b"), "utf8")).toBe("theirs");
  expect(await ops.call("linux.fs_move", { ...args, overwrite: true })).toMatchObject({ replaced: true });
  await ops.call("linux.fs_undo", {});
  expect([readFileSync(join(root, "a"), "utf8"), readFileSync(join(root, "b"), "utf8")]).toEqual(["mine", "theirs"]);
});

test("copies a tree with its links, and the copy goes again when it is taken back", async ({ root, ops }) => {
  mkdirSync(join(root, "t/sub"), { recursive: true });
  writeFileSync(join(root, "t/sub/f"), "x");
  symlinkSync("sub/f", join(root, "t/link"));
  const copied = await ops.call("linux.fs_move", { source: "t", target: "u", copy: true });
  expect(copied).toMatchObject({ target: join(root, "u"), copied: { entries: 4, bytes: 6 } });
  expect([readlinkSync(join(root, "u/link")), readFileSync(join(root, "t/sub/f"), "utf8")]).toEqual(["sub/f", "x"]);
  await ops.call("linux.fs_undo", {});
  expect(readdirSync(root)).toEqual(["t"]);
});

test.for([
  ["a folder into itself", { source: "t", target: "t/sub/x" }, "INVALID_ARGUMENT"],
  ["what is not there", { source: "gone", target: "x" }, "NOT_FOUND"],
  ["out of the roots", { source: "t", target: "../t" }, "INVALID_PATH"],
  ["a root", { source: ".", target: "x" }, "PERMISSION_DENIED"],
  ["hooks into a repository", { source: "evil", target: "repo/.git" }, "PERMISSION_DENIED"],
  ["to a missing folder", { source: "t", target: "no/such/x" }, "NOT_FOUND"],
] as const)("%s is refused and leaves everything in place", async ([, args, code], { root, ops }) => {
  for (const folder of ["t/sub", "evil/hooks", "repo"]) mkdirSync(join(root, folder), { recursive: true });
  const before = readdirSync(root, { recursive: true, encoding: "utf8" }).toSorted();
  await expect(ops.call("linux.fs_move", args)).rejects.toMatchObject({ code });
  expect(readdirSync(root, { recursive: true, encoding: "utf8" }).toSorted()).toEqual(before);
});

test("several go into a folder and come back by one undo, or none goes", async ({ root, ops }) => {
  for (const name of ["a", "b"]) writeFileSync(join(root, name), name);
  mkdirSync(join(root, "into"));
  writeFileSync(join(root, "into/b"), "in the way");
  const names = () => [readdirSync(root).toSorted(), readdirSync(join(root, "into"))];
  const before = names();
  await expect(ops.call("linux.fs_move", { paths: ["a", "b"], target: "into" })).rejects.toMatchObject({
    code: "ALREADY_EXISTS",
  });
  expect(names()).toEqual(before);
  const moved = await ops.call("linux.fs_move", { paths: ["a", "b"], target: "into", overwrite: true });
  expect(moved).toMatchObject({
    source: join(root, "a"),
    paths: [{ target: join(root, "into/a") }, { target: join(root, "into/b"), replaced: true }],
  });
  expect(names()).toEqual([["into"], ["a", "b"]]);
  await ops.call("linux.fs_undo", {});
  expect(names()).toEqual(before);
  expect(readFileSync(join(root, "into/b"), "utf8")).toBe("in the way");
});

test("several need a folder that is there, or create_parents", async ({ root, ops }) => {
  for (const name of ["a", "b"]) writeFileSync(join(root, name), name);
  const paths = ["a", "b"];
  await expect(ops.call("linux.fs_move", { paths, target: "new" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await ops.call("linux.fs_move", { paths, target: "new", create_parents: true });
  expect(readdirSync(join(root, "new"))).toEqual(["a", "b"]);
});
