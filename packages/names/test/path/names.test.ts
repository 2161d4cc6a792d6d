import * as fc from "fast-check";
import { expect, test } from "vitest";
import { contains, displayPath, textOf, toBytes, unescapeName } from "../../src/path/names.js";
import { byteNames } from "./byte-names.js";

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
const named = (shown: string) => unescapeName(toBytes(shown)) ?? toBytes(shown);

test("text is shown as it is, bytes that are no text as \\xNN, and what looks like those as \\x5cxNN", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }).filter((text) => !/\\x/.test(text)),
      (text) => displayPath(toBytes(text)) === text,
    ),
  );
  expect(displayPath("a\xff\xc3\xbc\xe2\x82b")).toBe("a\\xffü\\xe2\\x82b");
  expect(["a\\xe9", "\\x2f", "\\x5cxe9", "C:\\xampp", "\\x", "\\XE9", "\\\\xe9", "\\\xe9"].map(displayPath)).toEqual([
    "a\\x5cxe9",
    "\\x5cx2f",
    "\\x5cx5cxe9",
    "C:\\xampp",
    "\\x",
    "\\XE9",
    "\\\\x5cxe9",
    "\\\\xe9",
  ]);
});

test("a name that is shown leads back to its bytes, and no two names are shown alike", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 30 }).map(latin1), (name) => named(displayPath(name)) === name),
    { numRuns: 1000 },
  );
  fc.assert(
    fc.property(byteNames, (name) => named(displayPath(name)) === name),
    { numRuns: 2000 },
  );
});

test("only bytes above ASCII can be written as \\xNN", () => {
  expect(
    ["\\x2f", "\\x2e", "\\x00", "\\x7f", "\\x8", "\\xg0", "\\XE9", "\\x5c", "\\x5cx2", "plain"].map(unescapeName),
  ).toEqual(Array(10).fill(undefined));
  expect(["\\x80", "a\\xFFb", "\\\\xff", "\\x5cx2f", "\\x5Cxe9"].map(unescapeName)).toEqual([
    "\x80",
    "a\xffb",
    "\\\xff",
    "\\x2f",
    "\\xe9",
  ]);
});

test("a line of text keeps its backslashes", () => {
  expect(textOf(toBytes("print('\\xe9 ü')"))).toBe("print('\\xe9 ü')");
});

test("a folder contains itself and what lies below it, not its namesakes", () => {
  expect([
    contains("/a", "/a"),
    contains("/a", "/a/b"),
    contains("/a", "/ab"),
    contains("/a/b", "/a"),
    contains("/", "/a"),
  ]).toEqual([true, true, false, false, true]);
});
