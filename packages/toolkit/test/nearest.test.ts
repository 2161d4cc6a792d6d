import fc from "fast-check";
import { expect, test } from "vitest";
import { nearestName } from "../src/index.js";

const known = ["linux.fs_read", "linux.fs_write", "linux.proc_list", "health"];

test.for([
  ["linux_fs_raed", "linux.fs_read"],
  ["fs_read", "linux.fs_read"],
  ["FS-WRITE", "linux.fs_write"],
  ["proc", "linux.proc_list"],
  ["helth", "health"],
  ["x", undefined],
  ["", undefined],
] as const)("%s means %s", ([given, meant]) => {
  expect(nearestName(given, known)).toBe(meant);
});

test("any text is answered with a known name or none", () => {
  fc.assert(fc.property(fc.string(), (given) => [...known, undefined].includes(nearestName(given, known) as never)));
});
