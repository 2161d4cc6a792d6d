import { expect, test } from "vitest";
import { humanSize, line, spell } from "../../src/answer/line.js";

test.for([
  [{ name: "src", type: "dir" }, "src/"],
  [{ name: "node_modules", type: "dir", folded: 12_044 }, "node_modules/ — 12,044 entries"],
  [{ name: "lib", type: "dir", folded: 1 }, "lib/ — 1 entry"],
  [{ name: "a.ts", type: "file", size: 1234 }, "a.ts 1.2K"],
  [{ name: "l", type: "symlink", target: "../a" }, "l -> ../a"],
  [{ name: "l", type: "symlink" }, "l (link)"],
  [{ name: "fifo", type: "other" }, "fifo (special file)"],
  [{ name: "shut", type: "dir", problem: "permission denied" }, "shut/ (permission denied)"],
] as const)("%j is the line %s", ([facts, text]) => {
  expect(line(facts)).toBe(text);
});

test.for([
  [0, "0B"],
  [1023, "1023B"],
  [1024, "1.0K"],
  [10_188, "9.9K"],
  [10_189, "10K"],
  [1_048_063, "1023K"],
  [1_048_064, "1.0M"],
  [5 * 1024 ** 3, "5.0G"],
  [Number.MAX_SAFE_INTEGER, "8.0P"],
] as const)("%i bytes are %s", ([bytes, text]) => {
  expect(humanSize(bytes)).toBe(text);
});

test.for([
  ["plain name.txt", "plain name.txt"],
  ["d\\xff", "d\\xff"],
  ["a\nb", '"a\\nb"'],
  [" edge", '" edge"'],
  ["edge ", '"edge "'],
  ["a -> b", '"a -> b"'],
  ["a — 3 entries", '"a — 3 entries"'],
  ['say "x"', '"say \\"x\\""'],
  ["\u001b[31mred", '"\\u001b[31mred"'],
  ["abc\u202egnp.exe", '"abc\\u202egnp.exe"'],
  ["\u0085", '"\\u0085"'],
] as const)("a name %j is spelled %s", ([name, text]) => {
  expect(spell(name)).toBe(text);
});

test("a name in quotes is JSON: read as such it is the name", () => {
  for (const name of ["a\nb", "\u202e", '"', " x", "\t\u0007\u2028"]) expect(JSON.parse(spell(name))).toBe(name);
});
