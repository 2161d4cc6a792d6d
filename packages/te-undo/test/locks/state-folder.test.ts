import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { privateFolder } from "../../src/locks/state-folder.js";
import { scratch } from "./scratch.js";

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test("it is made with the folders around it that are missing, for this user alone; those that are there stay as they are", () => {
  const base = scratch();
  chmodSync(base, 0o755);
  privateFolder(join(base, "a", "b", "c"));
  expect(["", "a", "a/b", "a/b/c"].map((each) => modeOf(join(base, each)))).toEqual([0o755, 0o700, 0o700, 0o700]);
});

test("one that others could look into is closed to them", () => {
  const path = join(scratch(), "open");
  mkdirSync(path);
  chmodSync(path, 0o755);
  privateFolder(path);
  expect(modeOf(path)).toBe(0o700);
});

test.each([
  ["a link", (path: string) => symlinkSync("/tmp", path), "EEXIST"],
  ["a file", (path: string) => writeFileSync(path, ""), "EEXIST"],
])("%s in its place is not taken for it", (_, spoil, code) => {
  const path = join(scratch(), "place");
  spoil(path);
  expect(() => privateFolder(path)).toThrow(expect.objectContaining({ code }));
});

test("below a link that leads nowhere nothing is made", () => {
  const path = join(scratch(), "link");
  symlinkSync("none", path);
  expect(() => privateFolder(join(path, "below"))).toThrow(expect.objectContaining({ code: "ENOENT" }));
});
