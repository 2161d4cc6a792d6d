import { expect, test } from "vitest";
import { onlyAlikePlace } from "../../src/nearest/alike.js";

const FILE = [
  "import os",
  "class Item:",
  "    price = one_price",
  "    return None",
  "",
  "def total():",
  "    return None",
];

test.for<readonly [string, readonly string[], number | undefined]>([
  ["a line that is nearly one", ["class Itm:"], 1],
  ["whatever blanks are at its ends", ["\tclass Item :  "], 1],
  ["lines that are nearly some", ["class Item", "  price = ones_price"], 1],
  ["a line that two places have", ["    return Nome"], undefined],
  ["a line that tells two places apart", ["def total()", "    return Nome"], 4 + 1],
  ["a line that is another", ["class Item:", "    cost = 2"], undefined],
  ["a line too many", ["class Item:", "", "    price = one_price"], undefined],
  ["more lines than there are", Array.from({ length: 8 }, () => "x"), undefined],
])("%s", ([, needle, start]) => {
  expect(onlyAlikePlace(FILE, needle)).toBe(start);
});

// Takes minutes without the bound, so the test would time out.
test("long lines that are all alike are given up", () => {
  const lines = Array.from({ length: 1000 }, (_, n) => `${"abc ".repeat(480)}${n}`);
  const needle = [...lines.slice(0, 198), "something else"];
  expect(onlyAlikePlace(lines, needle)).toBe(undefined);
});
