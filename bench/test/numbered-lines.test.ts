import { expect, test } from "vitest";
import { firstLineOf } from "../src/measure/numbered-lines.js";

test.for([
  ["00000042 slow disk\n00000043 queue", 42],
  ["/tmp/a.txt · lines 1-2 of 9\n00000001 slow", 1],
  ["[Reading 2 lines from start]\n\n00000007 slow", 7],
  ["   12\t00000012 slow", 12],
  ["nothing numbered", Number.NaN],
] as const)("the first numbered line of %j is %d", ([text, line]) => {
  expect(firstLineOf(text)).toBe(line);
});
