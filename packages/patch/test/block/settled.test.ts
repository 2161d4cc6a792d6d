import { expect, test } from "vitest";
import { replaceBlocks } from "../../src/block/replace-blocks.js";

async function patch(content: string, oldText: string, newText: string, expected = 1) {
  const done = await replaceBlocks(Buffer.from(content), [{ oldText, newText, expected }], { path: "text.py" });
  const { normalized = [], lineEnds } = done.edits[0] ?? {};
  return { content: done.content.toString(), kinds: normalized.map(({ kind }) => kind), lineEnds };
}

const content = async (...args: Parameters<typeof patch>): Promise<string> => (await patch(...args)).content;

async function refusal(...args: Parameters<typeof patch>): Promise<string> {
  return await patch(...args).then(
    () => "it fits",
    (thrown: unknown) => (thrown as Error).message,
  );
}

const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join("");
const crlf = (text: string): string => text.replaceAll("\n", "\r\n");

test("line ends are no mismatch, at as many places as are expected, and are kept", async () => {
  const file = crlf(lines("a", "b", "c", "a", "b"));
  expect(await patch(file, "a\nb\n", "x\ny\nz\n", 2)).toEqual({
    content: crlf(lines("x", "y", "z", "c", "x", "y", "z")),
    kinds: ["line endings"],
    lineEnds: "CRLF",
  });
  expect(await content(lines("a", "b"), "a\r\nb\r\n", "x\r\ny\r\n")).toBe(lines("x", "y"));
  expect(await refusal(file, "a\nb\n", "x\n")).toContain("occurs 2 times in text.py, not once: lines 1, 4");
});

test("a block that begins with a newline takes that of a CRLF file whole", async () => {
  const file = crlf(lines("a", "b", "c"));
  expect(await content(file, "\nb", "\nx\ny")).toBe(crlf(lines("a", "x", "y", "c")));
  expect(await content(file, "\nb", "")).toBe(crlf(lines("a", "c")));
});

test.for([
  [
    "tabs for spaces",
    "\tif a:\n\t\tb()\n",
    "    if a:\n        b()\n",
    "    if a:\n        c()\n            d()\n",
    "\tif a:\n\t\tc()\n\t\t\td()\n",
  ],
  [
    "spaces for tabs",
    "    if a:\n        b()\n",
    "\tif a:\n\t\tb()\n",
    "\tif a:\n\t\t\tc()\n",
    "    if a:\n            c()\n",
  ],
  ["two spaces for a tab", "\ta\n\t\tb\n", "  a\n    b\n", "  a\n      c\n", "\ta\n\t\t\tc\n"],
  [
    "a prefix more in the file",
    "class A:\n    def f():\n        a()\n",
    "def f():\n    a()\n",
    "def f():\n    b()\n\ndef g():\n    c()\n",
    "class A:\n    def f():\n        b()\n\n    def g():\n        c()\n",
  ],
  [
    "a prefix less in the file",
    "def f():\n    a()\n",
    "        def f():\n            a()\n",
    "        def f():\n            b()\n",
    "def f():\n    b()\n",
  ],
  [
    "a prefix and tabs",
    "\tx {\n\t\ty;\n\t}\n",
    "x {\n    y;\n}\n",
    "x {\n    if (z) {\n        y;\n    }\n}\n",
    "\tx {\n\t\tif (z) {\n\t\t\ty;\n\t\t}\n\t}\n",
  ],
  [
    "the first line alone without its indentation",
    "\tif a:\n\t\tb()  \n",
    "if a:\n\t\tb()\n",
    "if c:\n\t\td()\n",
    "\tif c:\n\t\td()\n",
  ],
  ["a line that only the file indents", "a\n        b\nc\n", "    b\n", "    d\n", "a\n        d\nc\n"],
  ["lines that stay", "    a\n      b\n    c\n", "a\n  b\nc\n", "a\n  b\nd\nc\n", "    a\n      b\n    d\n    c\n"],
] as const)("indentation is settled where one place fits: %s", async ([, file, old, fresh, expected]) => {
  expect(await patch(file, old, fresh)).toMatchObject({ content: expected, kinds: expect.arrayContaining([]) });
});

test("trailing blanks are settled, and a line of blanks is one", async () => {
  expect(await patch("a  \nb\t\n\nc\n", "a\nb\n   \nc", "a\nB\n\nc")).toMatchObject({
    content: "a  \nB\n\nc\n",
    kinds: ["trailing whitespace"],
  });
});

test.for([
  [
    "two spaces for four",
    "def f():\n    if a:\n        b()\n",
    "def f():\n  if a:\n    b()\n",
    "def f():\n  if a:\n    c()\n",
    "lines 1-3",
  ],
  ["one line of all", "    a\n      b\n", "      a\n      b\n", "      a\n      c\n", "lines 1-2"],
  ["a new line that no tab explains", "\ta\n", "    a\n", "    if b:\n      a\n", "line 1"],
  ["a new line less deep than the prefix", "a\nb\n", "    a\n    b\n", "  if c:\n    a\n", "lines 1-2"],
  ["two readings that tell other lines", "\t\ta:\n\t\t\t\tb\n", "a:\n    b\n", "else:\n    b\n  c\n", "lines 1-2"],
] as const)("a mixed difference is refused: %s", async ([, file, old, fresh, where]) => {
  const message = await refusal(file, old, fresh);
  expect(message).toBe(
    `the text to replace fits ${where} of text.py but for indentation, which differs in more than one way`,
  );
});

test("where several places fit, they are named, and none is taken", async () => {
  const file = `${"x\n".repeat(6)}\tif a:\n\t\tb()\n${"y\n".repeat(31)}        if a:\n            b()\n`;
  const old = "    if a:\n        b()\n";
  expect(await refusal(file, old, "    c()\n")).toBe(
    "the text to replace fits 2 places of text.py but for indentation: lines 7-8, 40-41",
  );
  expect(await refusal(file, old, "    c()\n", 2)).toContain("fits 2 places of text.py but for indentation");
  expect(await refusal("\ta  \n  a \n", "    a\n", "b\n")).toContain(
    "but for indentation and trailing blanks: lines 1, 2",
  );
});

test("one place is not settled where several are expected", async () => {
  expect(await refusal("\ta\n\tb\n", "    a\n    b\n", "c\n", 2)).toBe(
    "the text to replace fits one place of text.py but for indentation: lines 1-2",
  );
});

test("a block that occurs to the letter is taken so, whatever fits but for blanks", async () => {
  expect(await content("\ta\n    a\n", "    a\n", "    b\n")).toBe("\ta\n    b\n");
});

test("an edit among others that was made before is passed over, and the others are made", async () => {
  const edits = [
    { oldText: "two\n", newText: "TWO\n" },
    { oldText: "three", newText: "3!" },
  ];
  const done = await replaceBlocks("one\r\nTWO\r\nthree\r\n", edits);
  expect(done.content.toString()).toBe("one\r\nTWO\r\n3!\r\n");
  expect(done).toMatchObject({
    replacementsMade: 1,
    beforeSnippet: "one\nTWO\nthree\n",
    afterSnippet: "one\nTWO\n3!\n",
  });
  expect(done.edits).toEqual([
    { replacements: 0, lines: [2], places: [] },
    { replacements: 1, lines: [3], places: [{ line: 3, count: 1, old: "three", fresh: "3!" }] },
  ]);
});

test("edits that were all made before are an error, and so is one whose new text only happens to be there", async () => {
  const run = (...edits: readonly [string, string][]) =>
    replaceBlocks(
      "one\nTWO\n3!\n",
      edits.map(([oldText, newText]) => ({ oldText, newText })),
    );
  const advice = { id: "text-to-replace", advice: { id: "edit-made-already", lines: [3] } };
  await expect(run(["two", "TWO"], ["three", "3!"])).rejects.toMatchObject({ remedy: advice });
  await expect(run(["nope", "W"], ["one", "1"])).rejects.toMatchObject({ details: { edit: 0, found: 0 } });
  await expect(run(["nope", ""], ["one", "1"])).rejects.toMatchObject({ details: { edit: 0, found: 0 } });
});
