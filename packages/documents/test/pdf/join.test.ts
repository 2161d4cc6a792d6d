import { expect, test } from "vitest";
import { joinPages } from "../../src/index.js";

const join = (pages: readonly string[], first = 1) =>
  joinPages(
    pages.map((page) => Buffer.from(page)),
    first,
  )?.toString();

test("a line before each page says which it is; the blank lines that fill it up are gone", () => {
  expect(join(["one\n\ntwo\n\n \n", "three"], 4)).toBe("[page 4]\none\n\ntwo\n[page 5]\nthree\n");
});

test("a page without text says so, as long as another has some", () => {
  expect(join([" \n\n", "two\n"])).toBe("[page 1, no text]\n[page 2]\ntwo\n");
  expect(join(["", "\n \t\n"])).toBe(undefined);
  expect(join([])).toBe(undefined);
});
