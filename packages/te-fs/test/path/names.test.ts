import * as fc from "fast-check";
import { expect, test } from "vitest";
import { contains, show, toBytes, unescapeName } from "../../src/path/names.js";

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

test("text is shown as it is, and bytes that are no text as \\xNN", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => show(toBytes(text)) === text));
  expect(show("a\xff\xc3\xbc\xe2\x82b")).toBe("a\\xffü\\xe2\\x82b");
});

test("a name that is shown leads back to its bytes, unless it looks escaped itself", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 30 }).map(latin1), (name) => {
      fc.pre(!name.includes("\\"));
      const shown = toBytes(show(name));
      return (unescapeName(shown) ?? shown) === name;
    }),
  );
});

test("only bytes above ASCII can be written as \\xNN", () => {
  expect(["\\x2f", "\\x2e", "\\x00", "\\x7f", "\\x8", "\\xg0", "plain"].map(unescapeName)).toEqual(
    Array(7).fill(undefined),
  );
  expect(["\\x80", "a\\xFFb", "\\\\xff"].map(unescapeName)).toEqual(["\x80", "a\xffb", "\\\xff"]);
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
