import { expect, test } from "vitest";
import { firstDifference } from "../src/first-difference.js";

test.for([
  ["a changed line", "a\nb\nc", "a\nB\nc", "@@ line 2\n- b\n- c\n+ B\n+ c"],
  ["lines that were added", "a", "a\nb", "@@ line 2\n+ b"],
  ["lines that are gone", "a\nb", "a", "@@ line 2\n- b"],
] as const)("shows %s and where", ([, before, after, shown]) => {
  expect(firstDifference(before, after)).toBe(shown);
});
