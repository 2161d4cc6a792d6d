import { expect, test } from "vitest";
import { NOTHING_IGNORED } from "../../src/ignore/ignore-stack.js";
import { compileIgnore } from "../../src/ignore/ignore.js";
import { toBytes } from "../../src/path/names.js";

/** Paths that end in a slash are folders. */
const ignoredOf = (text: string, paths: readonly string[], base = ""): string[] => {
  const stack = NOTHING_IGNORED.with(compileIgnore(toBytes(text), toBytes(base)));
  return paths.filter((path) => stack.ignored(toBytes(path.replace(/\/$/, "")), path.endsWith("/")));
};

test.for<[string, string[], string[]]>([
  ["*.log", ["a.log", "x/a.log", ".log"], ["a.log2"]],
  ["build", ["build", "build/", "x/build", "build/a/b"], ["builds"]],
  ["build/", ["build/", "x/build/", "build/a/b"], ["build", "x/build"]],
  ["/build", ["build", "build/a"], ["x/build"]],
  ["a/b", ["a/b", "a/b/c"], ["x/a/b", "a", "a/bc"]],
  ["a/*", ["a/b", "a/b/c"], ["a", "x/a/b"]],
  ["a/**", ["a/b", "a/b/c"], ["a/"]],
  ["**/a", ["a", "x/a", "x/y/a"], ["ab"]],
  ["**/a/b", ["a/b", "x/a/b"], ["xa/b"]],
  ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/xb"]],
  ["a**b", ["ab", "axb"], ["a/b"]],
  ["x/a**/b", ["x/a/b", "x/ac/b"], ["x/ab", "x/a/c/b"]],
  ["*\n!a", ["b", "x/b"], ["a"]],
  ["*\n!a", ["x/a"], []],
  ["*.c\n!/keep/", ["keep/a.c"], ["keep/"]],
  ["!a\na", ["a"], []],
  ["# a\n\\#b\n\\!c", ["#b", "!c"], [" a", "# a", "a"]],
  ["a  \nb\\ \nc\\ d", ["a", "b ", "c d"], ["a  ", "b"]],
  ["a\r\nb\r\n", ["a", "b"], ["a\r"]],
  ["\ufeffa", ["a"], []],
  ["a[", [], ["a["]],
  ["[[:foo:]]", [], ["f", ":"]],
  ["[b-a]", ["b"], ["a"]],
  ["a\\", [], ["a", "a\\"]],
  ["[a-c]x\n[!a-c]y", ["bx", "dy"], ["dx", "by"]],
  ["??", ["ab", "ü"], ["a"]],
  ["/", [], ["a"]],
  ["//a", [], ["a"]],
  ["a//", [], ["a/", "a/b"]],
  ["", [], ["a"]],
])("%j ignores %j and not %j", ([text, ignored, kept]) => {
  expect(ignoredOf(text, [...ignored, ...kept])).toEqual(ignored);
});

test("rules are about what lies below the folder of their file", () => {
  expect(ignoredOf("/a\nb\nc/d", ["x/a", "x/y/a", "a", "x/b", "x/y/b", "b", "x/c/d", "c/d", "x", "xx/b"], "x")).toEqual(
    ["x/a", "x/b", "x/y/b", "x/c/d"],
  );
});

test("the file that lies deeper goes first, but brings nothing back into an ignored folder", () => {
  const stack = NOTHING_IGNORED.with(compileIgnore("*.log\n/out/\n"))
    .with(compileIgnore("!keep.log\n*.tmp", "a"))
    .with(compileIgnore("!*", "out"));
  const paths = ["a/x.log", "a/keep.log", "keep.log", "a/b/keep.log", "a/x.tmp", "x.tmp", "out/x", "out/y/x"];
  expect(paths.filter((path) => stack.ignored(path, false))).toEqual([
    "a/x.log",
    "keep.log",
    "a/x.tmp",
    "out/x",
    "out/y/x",
  ]);
});

test("a stack stays as it is when rules are put on it, in whatever order it is asked", () => {
  const top = NOTHING_IGNORED.with(compileIgnore("/a/b/"));
  const below = top.with(compileIgnore("c", "a"));
  const ask = [
    ["a/b/c", false],
    ["a/c", false],
    ["x/c", false],
    ["c", false],
    ["a/b", true],
    ["a/b", false],
  ] as const;
  const answers = (asked: typeof below): boolean[] => ask.map(([path, isFolder]) => asked.ignored(path, isFolder));
  const expected = [
    [true, false, false, false, true, false],
    [true, true, false, false, true, false],
  ];
  expect([answers(top), answers(below)]).toEqual(expected);
  expect([answers(top), answers(below)]).toEqual(expected);
  expect(answers(NOTHING_IGNORED)).toEqual(Array(6).fill(false));
});

test("a verdict tells what is kept on purpose from what no rule is about", () => {
  const { verdict } = compileIgnore("*.a\n!b.a\n/d/*\n!/d/e");
  expect(["x.a", "b.a", "x", "d/x", "d/e"].map((path) => verdict(path, false))).toEqual([
    true,
    false,
    undefined,
    true,
    false,
  ]);
});

test("rules beyond what anybody would write are counted, and the others hold", () => {
  const plain = compileIgnore("a\n".repeat(50_000) + "b\nc\n");
  expect([plain.skipped, plain.verdict("a", false), plain.verdict("b", false)]).toEqual([2, true, undefined]);
  const wild = compileIgnore(`*.a\n${`${"?".repeat(100)}\n`.repeat(200)}b\n`);
  expect([wild.skipped > 20, wild.verdict("x.a", false), wild.verdict("b", false)]).toEqual([true, true, true]);
});
