import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect } from "vitest";
import { kept as test, textOf } from "../../helpers.js";

test("deletes a file, and it comes back", async ({ root, ops }) => {
  const path = join(root, "a");
  writeFileSync(path, "x");
  const undo = { id: expect.any(String), held_bytes: expect.any(Number) };
  expect(await ops.call("linux.fs_delete", { path })).toEqual({ ok: true, path, removed: 1, undo });
  expect(existsSync(path)).toBe(false);
  await ops.call("linux.fs_undo", {});
  expect(readFileSync(path, "utf8")).toBe("x");
});

test("a folder needs recursive, is counted with all it holds, and comes back whole", async ({ root, ops }) => {
  mkdirSync(join(root, "t/sub"), { recursive: true });
  writeFileSync(join(root, "t/sub/f"), "x");
  symlinkSync("/etc", join(root, "t/out"));
  execFileSync("mkfifo", [join(root, "t/fifo")]);
  const look = () => execFileSync("find", [join(root, "t"), "-printf", "%P %y %m %l %s %Ts\n"], { encoding: "utf8" });
  const before = look();
  await expect(ops.call("linux.fs_delete", { path: "t" })).rejects.toMatchObject({ code: "IS_DIRECTORY" });
  expect(look()).toBe(before);
  const dry = await ops.call("linux.fs_delete", { path: "t", recursive: true, dry_run: true });
  expect(dry).toMatchObject({ removed: 0, would_remove: { entries: 5, names: expect.arrayContaining(["sub/f"]) } });
  expect(look()).toBe(before);
  expect(await ops.call("linux.fs_delete", { path: "t", recursive: true })).toMatchObject({ removed: 5 });
  expect(existsSync("/etc/passwd")).toBe(true);
  await ops.call("linux.fs_undo", {});
  expect(look()).toBe(before);
});

test("a dry run is told by folders with what they hold, then files; the payload has the names", async ({
  root,
  ops,
}) => {
  for (const [folder, count] of [
    ["t/.git/hooks", 15],
    ["t/.git/objects", 44],
    ["t/src", 2],
  ] as const) {
    mkdirSync(join(root, folder), { recursive: true });
    for (let nth = 0; nth < count; nth += 1) writeFileSync(join(root, folder, `f${nth}`), "x");
  }
  for (let nth = 0; nth < 30; nth += 1) writeFileSync(join(root, "t", `file${10 + nth}`), "x");
  const text = await textOf(root, "linux.fs_delete", { path: "t", recursive: true, dry_run: true });
  expect(text.split("\n").slice(0, 4)).toEqual([
    expect.stringMatching(/^\[t · dry run: 96 entries would go, \d+K on disk\]$/),
    ".git/ — 61 entries",
    "src/ — 2 entries",
    "file10",
  ]);
  expect([text.split("\n").length, text.split("\n").at(-1)]).toEqual([22, "…and 12 more"]);
  expect(countTokens(text)).toBeLessThan(120);
  const dry = await ops.call("linux.fs_delete", { path: "t", recursive: true, dry_run: true });
  expect([dry.would_remove?.entries, dry.would_remove?.names.length]).toEqual([96, 95]);
});

test("secure keeps nothing", async ({ root, ops, dataDir }) => {
  writeFileSync(join(root, "a"), "a secret that must go");
  expect(await ops.call("linux.fs_delete", { path: "a", secure: true })).toMatchObject({
    undo: null,
    undo_reason: expect.any(String),
  });
  const inJournal = join(dataDir, "undo");
  const files = existsSync(inJournal) ? readdirSync(inJournal, { recursive: true, withFileTypes: true }) : [];
  for (const file of files.filter((each) => each.isFile())) {
    expect(readFileSync(join(file.parentPath, file.name), "utf8")).not.toContain("a secret that must go");
  }
});

test("a file that somebody else changed since the read stays, until its sum is given", async ({ root, ops }) => {
  const path = join(root, "a");
  writeFileSync(path, "old");
  await ops.call("linux.fs_read", { path });
  writeFileSync(path, "theirs");
  await expect(ops.call("linux.fs_delete", { path })).rejects.toMatchObject({ code: "STALE_FILE" });
  const expected_sha256 = createHash("sha256").update("theirs").digest("hex");
  expect(await ops.call("linux.fs_delete", { path, expected_sha256 })).toMatchObject({ removed: 1 });
});

test.for([
  ["a root", ".", "PERMISSION_DENIED"],
  ["the whole machine", "/", "INVALID_PATH"],
  ["a hook", "repo/.git/hooks", "PERMISSION_DENIED"],
  ["what is not there", "gone", "NOT_FOUND"],
  ["what is outside", "../x", "INVALID_PATH"],
] as const)("%s is not deleted", async ([, path, code], { root, ops }) => {
  mkdirSync(join(root, "repo/.git/hooks"), { recursive: true });
  await expect(ops.call("linux.fs_delete", { path, recursive: true })).rejects.toMatchObject({ code });
  expect(readdirSync(join(root, "repo/.git"))).toEqual(["hooks"]);
});

test("several paths go at once and come back by one undo, or none goes", async ({ root, ops }) => {
  for (const name of ["a", "b", "c*"]) writeFileSync(join(root, name), name);
  const names = () => readdirSync(root).toSorted();
  await expect(ops.call("linux.fs_delete", { paths: ["a", "b", "gone"] })).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: expect.stringContaining("gone"),
  });
  await expect(ops.call("linux.fs_delete", { path: "*" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(names()).toEqual(["a", "b", "c*"]);
  const done = await ops.call("linux.fs_delete", { paths: ["a", "c*"] });
  expect(done).toMatchObject({
    ok: true,
    path: join(root, "a"),
    paths: [
      { path: join(root, "a"), removed: 1 },
      { path: join(root, "c*"), removed: 1 },
    ],
    undo: { id: expect.any(String) },
  });
  expect(names()).toEqual(["b"]);
  await ops.call("linux.fs_undo", {});
  expect(names()).toEqual(["a", "b", "c*"]);
});

test.for([{}, { path: "a", paths: ["b"] }])("%j names no path, or two ways", async (args, { ops }) => {
  await expect(ops.call("linux.fs_delete", args)).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: "linux.fs_delete: pass path, or paths for several.",
  });
});
