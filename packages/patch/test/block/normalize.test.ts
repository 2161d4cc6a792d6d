import { expect, test } from "vitest";
import { replaceBlocks, type ReplaceOptions } from "../../src/block/replace-blocks.js";

type Normalize = ReplaceOptions["normalize"];

async function patch(content: string, oldText: string, newText: string, normalize: Normalize = true, expected = 1) {
  const done = await replaceBlocks(Buffer.from(content), [{ oldText, newText, expected }], { normalize });
  const { places: _, ...report } = done.edits[0] ?? { places: [] };
  return { content: done.content.toString(), ...report };
}

async function content(...args: Parameters<typeof patch>): Promise<string> {
  return (await patch(...args)).content;
}

/** Lines as a file with these endings has them. */
const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join("");
const crlf = (text: string): string => text.replaceAll("\n", "\r\n");

test("a block with spaces is found where the file has tabs, and what replaces it has tabs", async () => {
  const file = lines("class A {", "\trun() {", "\t\tif (x) {", "\t\t\treturn 1;", "\t\t}", "\t}", "}");
  const old = lines("    run() {", "        if (x) {", "            return 1;", "        }", "    }");
  const fresh = lines(
    "    run() {",
    "        while (x) {",
    "            if (y) {",
    "                stop();",
    "            }",
    "        }",
    "    }",
  );
  expect(await patch(file, old, fresh)).toEqual({
    content: lines(
      "class A {",
      "\trun() {",
      "\t\twhile (x) {",
      "\t\t\tif (y) {",
      "\t\t\t\tstop();",
      "\t\t\t}",
      "\t\t}",
      "\t}",
      "}",
    ),
    replacements: 1,
    lines: [2],
    normalized: [{ kind: "indentation", lines: [2, 3, 4, 5, 6], count: 5 }],
  });
});

test.for([
  ["tabs for two spaces", "a\n\tb\n\t\tc\n", "a\n  b\n", "a\n  b\n    d\n", "a\n\tb\n\t\td\n\t\tc\n"],
  [
    "two spaces for four",
    "a\n  b\n    c\n",
    "a\n    b\n        c\n",
    "a\n    x\n        y\n            z\n",
    "a\n  x\n    y\n      z\n",
  ],
  ["four spaces for tabs", "a\n    b\n", "a\n\tb\n", "a\n\tx\n\t\ty\n", "a\n    x\n        y\n"],
  [
    "deeper in the file",
    "{\n    a\n      b\n    c\n}\n",
    "a\n  b\nc\n",
    "x\n  y\n    z\nc\n",
    "{\n    x\n      y\n        z\n    c\n}\n",
  ],
  ["less deep in the file", "a\n  b\n", "    a\n      b\n", "    x\n      y\n        z\n", "x\n  y\n    z\n"],
  [
    "a line less deep than all that is known",
    "\t\ta\n\t\tb\n",
    "        a\n        b\n",
    "    if\n        c\n",
    "\tif\n\t\tc\n",
  ],
  ["depth that no step explains", "   a\n", " a\n", "  b\n", "    b\n"],
  ["a step of both", "o\na\n \tb\n", "o\na\n    b\n", "o\na\n    x\n        y\n", "o\na\n \tx\n \t    y\n"],
  ["a mixed step", "a\n \tb\n", "a\n    b\n", "a\n    x\n        y\n", "a\n \tx\n \t    y\n"],
] as const)("indentation: %s", async ([, file, old, fresh, expected]) => {
  expect(await content(file, old, fresh)).toBe(expected);
});

test("a block that begins within a line keeps what stands before it, and indents the rest as the file does", async () => {
  const file = "  foo(function () {\n\t\tbar();\n\t});\n";
  const old = "function () {\n        bar();\n    }";
  expect(await content(file, old, "() => {\n        baz();\n    }")).toBe("  foo(() => {\n\t\tbaz();\n\t});\n");
});

test("a block that ends within a line, or in the blanks in front of one, ends there in the file", async () => {
  expect(await content("\ta(1);\n\tb(2, 3);\n", "  a(1);\n  b(2", "  a(1);\n  c(4")).toBe("\ta(1);\n\tc(4, 3);\n");
  expect(await content("x\n\t\ta\n\t\tb\n", "    a\n    ", "    c\n    d\n    ")).toBe("x\n\t\tc\n\t\td\n\t\tb\n");
});

test("a block with blanks in front fits only where a line begins, so that no end of a word is taken for it", async () => {
  await expect(patch("max = 1;\n", "  x = 1;\n", "  y = 1;\n")).rejects.toMatchObject({ code: "PATCH_COUNT_MISMATCH" });
  await expect(patch("returned\n", "return ", "x ")).rejects.toMatchObject({ code: "PATCH_COUNT_MISMATCH" });
  expect(await content("max = 1;\n\tx = 1;\n", "  x = 1;\n", "  y = 1;\n")).toBe("max = 1;\n\ty = 1;\n");
  expect(await content("returned\nreturn\n", "return ", "x")).toBe("returned\nx\n");
});

test("trailing whitespace on either side is forgiven; lines that stay keep theirs", async () => {
  expect(await patch("a  \nb\t\nc\nd\n", "a\nb\nc   \n", "a\nB\nc   \n")).toEqual({
    content: "a  \nB\nc\nd\n",
    replacements: 1,
    lines: [1],
    normalized: [{ kind: "trailing whitespace", lines: [1, 2, 3], count: 3 }],
  });
  expect(await content("x\n   \ny\n", "x\n\ny\n", "x\n\nz\n")).toBe("x\n   \nz\n");
});

test("a CRLF file is edited by a block with LF, and stays CRLF", async () => {
  expect(await patch("a\r\nb\r\nc\r\n", "a\nb\n", "a\nx\ny\n")).toEqual({
    content: "a\r\nx\r\ny\r\nc\r\n",
    replacements: 1,
    lines: [1],
    normalized: [{ kind: "line endings", lines: [1, 2], count: 2 }],
    lineEnds: "CRLF",
  });
  expect(await content("a\nb\nc\n", "a\r\nb\r\n", "a\r\nx\r\ny\r\n")).toBe("a\nx\ny\nc\n");
});

test("a block that occurs to the letter is written with the line endings of its place as well", async () => {
  expect(await patch("a\r\nb\r\n", "b", "x\ny")).toEqual({
    content: "a\r\nx\r\ny\r\n",
    replacements: 1,
    lines: [2],
    normalized: [{ kind: "line endings", lines: [2], count: 1 }],
    lineEnds: "CRLF",
  });
  expect(await content("a\nb", "b", "x\r\ny")).toBe("a\nx\ny");
  expect(await content("a\r\nq\nb q\n", "q", "1\n2", true, 2)).toBe("a\r\n1\n2\nb 1\n2\n");
  expect(await content("q\r\nq\nq", "q", "1\r\n2", true, 3)).toBe("1\r\n2\r\n1\n2\n1\n2");
});

test("in a file of mixed line endings each place keeps its own", async () => {
  expect(
    await content("  a\r\n  b\n\ta\n\tb\r\n", "a\nb", "x\ny\nz", { indentation: true, lineEndings: true }, 2),
  ).toBe("  x\r\n  y\r\n  z\n\tx\n\ty\n\tz\r\n");
});

test("the newline that a file lacks at its end is forgiven and not written", async () => {
  expect(await patch("a\n\tb", "  b\n", "  c\n  d\n")).toEqual({
    content: "a\n\tc\n\td",
    replacements: 1,
    lines: [2],
    normalized: [
      { kind: "indentation", lines: [2], count: 1 },
      { kind: "line endings", lines: [2], count: 1 },
    ],
  });
  expect(await content("a\r\n\tb", "  b\n", "  c\n  d\n")).toBe("a\r\n\tc\r\n\td");
  expect(await content("a\n\tb", "a\n  b\n", "a\n  b\n  c\n")).toBe("a\n\tb\n\tc");
  expect(await content("a\r\nb", "a\nb\n", "a\nb\nc\n")).toBe("a\r\nb\r\nc");
  expect(await content("a\n\tb", "a\n  b", "c\n  d\n")).toBe("c\n\td\n");
  await expect(patch("a\n\tb", "  b\n", "  c\n", { indentation: true })).rejects.toMatchObject({
    code: "PATCH_COUNT_MISMATCH",
  });
});

test("a newline that the file does not have in front of its first line is not found there", async () => {
  await expect(patch("a \nb\n", "\na\n", "\nc\n")).rejects.toMatchObject({ code: "PATCH_COUNT_MISMATCH" });
  expect(await content("a\n\na \nb\n", "\na\n", "\nc\n")).toBe("a\n\nc\nb\n");
});

test("a carriage return at either end of a block is taken behind the blanks that are forgiven", async () => {
  const only = { trailingWhitespace: true };
  expect(await content("a  \r\nb \r\n", "a\r", "x\r", only)).toBe("x\r\nb \r\n");
  expect(await content("a  \r\nb \r\n", "\r\nb\r\n", "\r\nc\r\n", only)).toBe("a  \r\nc\r\n");
  expect(await content("a  \nb \n", "\nb\n", "\nc\n", only)).toBe("a  \nc\n");
});

test("deleting a block leaves nothing of it", async () => {
  expect(await content("a\r\n\tb\r\nc\r\n", "    b\n", "")).toBe("a\r\nc\r\n");
  expect(await content("a\n\tb  \n", "    b\n", "")).toBe("a\n");
});

test("every place is fitted by itself, and they may follow each other", async () => {
  const file = "  a;\n  b;\n\ta;\n\tb;\n    a;\n    b;\n";
  expect(await patch(file, " a;\n b;\n", " a;\n c;\n  d;\n", true, 3)).toMatchObject({
    content: "  a;\n  c;\n   d;\n\ta;\n\tc;\n\t\td;\n    a;\n    c;\n     d;\n",
    replacements: 3,
    lines: [1, 4, 7],
  });
  expect(await content("\ta;\n\ta;\n\ta;\n", "  a;\n", "  b;\n", true, 3)).toBe("\tb;\n\tb;\n\tb;\n");
  expect(await content("a;\na;\na\n", "a; ", "b;", true, 2)).toBe("b;\nb;\na\n");
});

test("a block is taken to the letter wherever that gives the number expected", async () => {
  expect(await patch("a\n  b\na\n\tb\n", "a\n  b\n", "c\n  d\n")).toEqual({
    content: "c\n  d\na\n\tb\n",
    replacements: 1,
    lines: [1],
  });
  expect((await patch("a\n  b\na\n\tb\n", "a\n  b\n", "c\n  d\n", true, 2)).content).toBe("c\n  d\nc\n\td\n");
});

test.for([
  ["indentation", { indentation: true }, "a\n\tb\n", "a\n\tx\n"],
  ["trailing whitespace", { trailingWhitespace: true }, "a  \n  b\n", "a  \n  x\n"],
  ["line endings", { lineEndings: true }, "a\r\n  b\r\n", "a\r\n  x\r\n"],
] as const)("%s is forgiven by its own option, and by no other", async ([, only, file, expected]) => {
  const others = { trailingWhitespace: true, lineEndings: true, indentation: true, ...negated(only) };
  expect(await content(file, "a\n  b\n", "a\n  x\n", only)).toBe(expected);
  const miss = { code: "PATCH_COUNT_MISMATCH" };
  await expect(patch(file, "a\n  b\n", "a\n  x\n", others)).rejects.toMatchObject(miss);
});

function negated(options: Readonly<Record<string, boolean>>): Record<string, boolean> {
  return Object.fromEntries(Object.keys(options).map((name) => [name, false]));
}

test("with one option on, the rest is written as given", async () => {
  expect(await content("a\r\n\tb\r\n", "a\r\n  b\r\n", "x\n  y\n", { indentation: true })).toBe("x\n\ty\n");
  expect(await content("a\r\n  b\r\n", "a\n  b\n", "a\n y \n", { lineEndings: true })).toBe("a\r\n y \r\n");
  expect(await content("a  \n b\r\n", "a\n b\r\n", "x \n  y\r\n", { trailingWhitespace: true })).toBe("x \n  y\r\n");
});

test("only whitespace is forgiven, and a block of nothing else is found to the letter only", async () => {
  await expect(patch("foo(a, b)\n", "foo(a,b)", "x")).rejects.toMatchObject({ code: "PATCH_COUNT_MISMATCH" });
  await expect(patch("a\n\n\t\nb\n", "  \n", "x\n")).rejects.toMatchObject({ code: "PATCH_COUNT_MISMATCH" });
  expect(await content("a\n  \nb\n", "  \n", "x\n")).toBe("a\nx\nb\n");
});

test("bytes that are no UTF-8 stay beside and inside of what is forgiven", async () => {
  const file = Buffer.from("\xff\n\tif (\xe9) {  \n\t}\n\xfe", "latin1");
  const done = await replaceBlocks(file, [{ oldText: "    }\n", newText: "    x;\n    }\n" }], { normalize: true });
  expect(done.content.toString("latin1")).toBe("\xff\n\tif (\xe9) {  \n\tx;\n\t}\n\xfe");
});

test("whitespace of other kinds than blanks and tabs is not forgiven", async () => {
  await expect(patch("a\n\u00a0\u00a0b\n", "a\n  b\n", "x")).rejects.toMatchObject({ code: "PATCH_COUNT_MISMATCH" });
});

test("a UTF-16 file is normalized as text", async () => {
  const file = Buffer.from("\ufeffa\r\n\tb\r\n", "utf16le");
  const done = await replaceBlocks(file, [{ oldText: "a\n  b\n", newText: "a\n  ü\n    c\n" }], { normalize: true });
  expect(done.content).toEqual(Buffer.from("\ufeffa\r\n\tü\r\n\t\tc\r\n", "utf16le"));
});

test("a long list of forgiven lines is cut and counted", async () => {
  const file = lines(...Array.from({ length: 25 }, (_, n) => `\tx${n};`));
  const done = await patch(file, lines(...Array.from({ length: 25 }, (_, n) => `  x${n};`)), "y\n");
  expect(done.normalized).toEqual([{ kind: "indentation", lines: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], count: 25 }]);
});

test("a whole file of CRLF is found by a block with LF", async () => {
  const file = lines("a", "  b", "", "c");
  expect(await content(crlf(file), file, file.replace("b", "x"))).toBe(crlf(file.replace("b", "x")));
});
