import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { test, textOf } from "../../helpers.js";

test("answers size, time, mode and type", async ({ root, ops }) => {
  const path = join(root, "f");
  writeFileSync(path, "12345");
  chmodSync(path, 0o4640);
  utimesSync(path, 1_700_000_000, 1_700_000_000.5);
  expect(await ops.call("stat", { path: "f" })).toEqual({
    data: { size: 5, mtime: 1_700_000_000.5, mode: "4640", type: "file" },
  });
});

test("a mode has four digits, and a folder is a dir", async ({ root, ops }) => {
  mkdirSync(join(root, "d"));
  chmodSync(join(root, "d"), 0o055);
  expect((await ops.call("stat", { path: "d" })).data).toMatchObject({ mode: "0055", type: "dir" });
});

test("a link that stays inside is what it leads to; one that leads out is refused", async ({ root, ops }) => {
  mkdirSync(join(root, "d"));
  symlinkSync("d", join(root, "in"));
  symlinkSync("/etc/passwd", join(root, "out"));
  symlinkSync("nowhere", join(root, "gone"));
  expect((await ops.call("stat", { path: "in" })).data.type).toBe("dir");
  await expect(ops.call("stat", { path: "out" })).rejects.toMatchObject({ code: "INVALID_PATH" });
  await expect(ops.call("stat", { path: "gone" })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("what is no file is told of without being opened", async ({ root, ops }) => {
  execFileSync("mkfifo", [join(root, "fifo")]);
  expect((await ops.call("stat", { path: "fifo" })).data.type).toBe("other");
});

test("as text it is one line", async ({ root }) => {
  writeFileSync(join(root, "f"), "");
  expect(await textOf(root, "stat", { path: "f" })).toMatch(
    /^\[f · file · 0B · mode 0644 · changed \d{4}-[\d-]+T[\d:.]+Z\]$/,
  );
});
