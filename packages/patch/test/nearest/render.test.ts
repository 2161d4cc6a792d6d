import { expect, test } from "vitest";
import { kindsOf } from "../../src/nearest/difference.js";
import { renderDifferences } from "../../src/nearest/render.js";

function differ(line: number, wanted: string, found: string) {
  return { line, wanted, found, kinds: kindsOf(wanted, found) };
}

function show(...differences: ReturnType<typeof differ>[]): string {
  return renderDifferences(differences, { maxChars: 2000 });
}

test.for([
  ["  x y", "\tx y", "line 7: indentation\n- ··x y\n+ →x y"],
  ["x y ", "x y", "line 7: trailing whitespace\n- x y·\n+ x y"],
  ["x y", "x y\r", "line 7: line endings\n- x y\n+ x y␍"],
  ["x y", "x  y", "line 7: spacing\n- x·y\n+ x··y"],
  ["a\tb", "a b", "line 7: spacing\n- a→b\n+ a·b"],
  ["say 'x'", "say ‘x’", "line 7: look-alike characters\n- say 'x'\n+ say ‘<U+2018>x’<U+2019>"],
  ["a - b", "a – b", "line 7: look-alike characters\n- a - b\n+ a –<U+2013> b"],
  ["a b", "a\u00a0b", "line 7: look-alike characters\n- a b\n+ a<U+00A0>b"],
  ["ab", "a\u200bb", "line 7: look-alike characters\n- ab\n+ a<U+200B>b"],
  ["é", "e\u0301", "line 7: look-alike characters\n- é<U+00E9>\n+ e\u0301<U+0301>"],
  ["say 'x'", 'say "x"', "line 7: quote marks\n- say 'x'\n+ say \"x\""],
  ["Foo", "foo", "line 7: letter case\n- Foo\n+ foo"],
  ["Foo  bar", "  foo bar\r", "line 7: line endings, indentation, spacing, letter case\n- Foo··bar\n+ ··foo·bar␍"],
  ["foo", "bar", "line 7: text\n- foo\n+ bar"],
  ["", "    ", "line 7: trailing whitespace\n- \n+ ····"],
  ["\u001b[0m", "x", "line 7: text\n- <U+001B>[0m\n+ x"],
] as const)("%j against %j shows what an eye would miss", ([wanted, found, shown]) => {
  expect(show(differ(7, wanted, found))).toBe(shown);
});

test("lines in a row that differ alike are shown by the first; lines of another text each for themselves", () => {
  const alike = [differ(3, "a ", "a"), differ(4, "b ", "b"), differ(9, "c ", "c")];
  expect(show(...alike)).toBe("lines 3-9 (3): trailing whitespace\n- a·\n+ a");
  expect(show(differ(1, "a", "b"), differ(2, "c", "d"))).toBe("line 1: text\n- a\n+ b\nline 2: text\n- c\n+ d");
});

test("a line that only one side has is shown with its sign", () => {
  const missing = { line: 4, wanted: "x", found: null, kinds: ["missing in the file"] as const };
  const extra = { line: 5, wanted: null, found: "y", kinds: ["only in the file"] as const };
  expect(renderDifferences([missing, missing, extra, extra], { maxChars: 500 })).toBe(
    [
      "line 4: missing in the file\n- x",
      "line 4: missing in the file\n- x",
      "line 5: only in the file\n+ y",
      "line 5: only in the file\n+ y",
    ].join("\n"),
  );
});

test("a long line is shown around what differs", () => {
  const long = "0123456789".repeat(100);
  expect(
    renderDifferences([differ(1, `${long}a${long}`, `${long}b${long}`)], { maxChars: 500, maxLineChars: 11 }),
  ).toBe("line 1: text\n- …56789a01234…\n+ …56789b01234…");
});

test("the text is bounded, and says that there is more", () => {
  const many = Array.from({ length: 40 }, (_, n) => differ(n, `old ${n}`, `new ${n + 100}`));
  const shown = renderDifferences(many, { maxChars: 100 });
  expect(shown.length).toBeLessThanOrEqual(100);
  expect(shown.endsWith("\n…")).toBe(true);
});
