import { posix } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseRequestedPath } from "../../src/path/requested-path.js";

const parse = (path: string) => parseRequestedPath(path, "/base", "/home/me");

test.for([
  ["/a/b", "/a/b", false],
  ["a/b", "/base/a/b", false],
  ["./a//b/.", "/base/a/b", true],
  ["a/", "/base/a", true],
  ["..", "/", false],
  ["/../../x", "/x", false],
  ["~", "/home/me", false],
  ["~/x", "/home/me/x", false],
  ["~x", "/base/~x", false],
  ["a/~", "/base/a/~", false],
  ["/", "/", true],
] as const)("%s is %s", ([argument, shown, folder]) => {
  expect(parse(argument)).toEqual({ shown, path: shown, folder, typed: true });
});

test("text settles as a path library settles it", () => {
  const path = fc
    .array(fc.constantFrom("a", "..", ".", "", "b.c", "...", " "), { maxLength: 10 })
    .map((names) => names.join("/"));
  fc.assert(
    fc.property(path, (argument) => {
      fc.pre(argument !== "");
      expect(parse(argument).shown).toBe(posix.resolve("/base", argument));
    }),
  );
});

test("the path is the bytes of its UTF-8", () => {
  expect(parse("/ü")).toEqual({ shown: "/ü", path: "/\xc3\xbc", folder: false, typed: true });
});
