import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyHunks } from "../../src/diff/apply.js";
import { parseDiff } from "../../src/diff/parse.js";
import { notesOf } from "../../src/diff/notes.js";
import type { Miss } from "../../src/diff/placement.js";
import { readCorpus } from "./corpus.js";
import { patch } from "./memory.js";

const HEAD = "--- a/f\n+++ b/f\n";

async function apply(file: string | Buffer, hunks: string, work?: number): Promise<object> {
  const [plan] = parseDiff(HEAD + hunks);
  const result = await applyHunks(Buffer.from(file), plan?.hunks ?? [], work === undefined ? {} : { steps: work });
  const told = (misses: readonly Miss[]) => misses.map(({ hunk, reason, lines }) => [hunk.number, reason, lines]);
  if (!("content" in result)) return { misses: told(result.misses) };
  const before = result.before.length === 0 ? {} : { before: told(result.before) };
  return { text: result.content.toString(), hunks: result.hunks, ...before };
}

test("the answer says of each hunk where it went and what was looked past", async () => {
  const file = "new\r\none\r\ntwo \r\nthree\r\nfour\r\nfive\r\nsix\r\n";
  const hunks = "@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n@@ -4,4 +4,3 @@\n FOUR\n five\n-six\n+SIX\n";
  expect(await apply(file, hunks)).toEqual({
    text: "new\r\none\r\nTWO\r\nthree\r\nfour\r\nfive\r\nSIX\r\n",
    hunks: [
      { hunk: 1, line: 2, offset: 1, fuzz: 0, slips: ["line ends", "trailing whitespace"], overlooked: [] },
      {
        hunk: 2,
        line: 6,
        offset: 1,
        fuzz: 1,
        slips: ["line ends", "counts in @@"],
        overlooked: [{ line: 5, wanted: "FOUR", found: "four" }],
      },
    ],
  });
});

test("remarks that are the same are made once for all their hunks", () => {
  const fact = { line: 1, offset: 0, fuzz: 0, slips: [], overlooked: [] } as const;
  const many = Array.from({ length: 9 }, (_, at) => ({ ...fact, hunk: at + 1, offset: -1 }));
  expect(
    notesOf([
      ...many,
      { ...fact, hunk: 10 },
      { ...fact, hunk: 11, offset: 2, overlooked: [{ line: 7, wanted: "a", found: "b" }], slips: ["line ends"] },
    ]),
  ).toEqual([
    "hunks 1, 2, 3, 4, 5, 6 and 3 more: 1 line higher than stated",
    'hunk 11: 2 lines lower than stated, line 7 is "b" where the hunk has "a", line ends kept as in the file',
  ]);
});

describe("a place", () => {
  test.for<readonly [string, string, string, object]>([
    ["at the stated line comes before others", "a\nb\na\nb\n", "@@ -3 +3 @@\n-a\n+A\n", { text: "a\nb\nA\nb\n" }],
    [
      "is where the hunks above were off to, before the stated one",
      "x\na\nq\na\nq\n",
      "@@ -1 +1 @@\n-x\n+X\n+y\n@@ -2 +3 @@\n-a\n+A\n",
      { text: "X\ny\nA\nq\na\nq\n" },
    ],
    ["below the hunks above comes first", "a\nm\na\n", "@@\n-m\n+M\n@@\n-a\n+A\n", { text: "a\nM\nA\n" }],
    [
      "is not guessed between two as near",
      "a\n\n\n\na\n",
      "@@ -3 +3 @@\n-a\n+A\n",
      { misses: [[1, "ambiguous", [1, 5]]] },
    ],
    ["to the byte comes before one with other line ends", "a\r\nb\na\n", "@@\n-a\n+A\n", { text: "a\r\nb\nA\n" }],
    [
      "with all its context comes before one with less",
      "x\na\nz\nq\na\nz\n",
      "@@ -5,3 +5,3 @@\n x\n-a\n+A\n z\n",
      { text: "x\nA\nz\nq\na\nz\n" },
    ],
    [
      "is not found by brackets alone",
      "{\n}\n",
      "@@ -1,3 +1,3 @@\n foo\n }\n+x\n bar\n",
      { misses: [[1, "nowhere", []]] },
    ],
    ["of an insertion is below the stated line", "a\nb\n", "@@ -1,0 +2 @@\n+x\n", { text: "a\nx\nb\n" }],
    [
      "of an insertion moves with the hunks above",
      "n\na\nb\n",
      "@@ -1 +1 @@\n-a\n+A\n@@ -2,0 +3 @@\n+x\n",
      { text: "n\nA\nb\nx\n" },
    ],
    [
      "is the only one between the hunks around",
      "m\na\nz\na\n",
      "@@\n-m\n+M\n@@\n-a\n+A\n@@\n-z\n+Z\n",
      { text: "M\nA\nZ\na\n" },
    ],
    [
      "is given to as many equal hunks as there are places",
      "a\nq\na\nq\na\n",
      "@@\n-a\n+A\n@@\n-a\n+A\n@@\n-a\n+A\n",
      { text: "A\nq\nA\nq\nA\n" },
    ],
    [
      "is not given to fewer equal hunks than there are places",
      "a\nq\na\nq\na\n",
      "@@\n-a\n+A\n@@\n-a\n+A\n",
      {
        misses: [
          [1, "ambiguous", [1, 3, 5]],
          [2, "ambiguous", [1, 3, 5]],
        ],
      },
    ],
  ])("%s", async ([, file, hunks, expected]) => {
    expect(await apply(file, hunks)).toMatchObject(expected);
  });
});

describe("what was applied before", () => {
  test.for<readonly [string, string, string, object | string]>([
    [
      "is not added again below the same context",
      "a1\na2\na3\nnew one\nz\n",
      "@@ -1,4 +1,5 @@\n a1\n a2\n a3\n+new one\n z\n",
      [[1, "applied", [1]]],
    ],
    [
      "is not added again with less context",
      "a1\na2\na3\nnew one\nq\n",
      "@@ -1,4 +1,5 @@\n a1\n a2\n a3\n+new one\n",
      [[1, "applied", [4]]],
    ],
    [
      "is seen in lines with a blank one between",
      "a1\nnew one\n\nnew two\nz\n",
      "@@\n a1\n+new one\n+\n+new two\n",
      [[1, "applied", [2]]],
    ],
    [
      "is not seen in context alone",
      "some context\nz\n",
      "@@ -1,2 +1 @@\n-gone\n some context\n",
      { misses: [[1, "nowhere", []]] },
    ],
    ["is not seen in brackets", "a\n}\n", "@@ -1 +1,2 @@\n a\n+}\n", "a\n}\n}\n"],
    ["does not hide a hunk that fits", "a\nb\nA\n", "@@ -1 +1 @@\n-a\n+A\n", "A\nb\nA\n"],
  ])("%s", async ([, file, hunks, expected]) => {
    expect(await apply(file, hunks)).toMatchObject(
      typeof expected === "string"
        ? { text: expected }
        : "misses" in expected
          ? expected
          : { text: file, before: expected },
    );
  });

  test("is passed over, and the other hunks are applied below what it left", async () => {
    const hunks = "@@ -1,2 +1,3 @@\n one\n+new\n two\n@@ -3 +4 @@\n-x\n+X\n";
    const done = { text: "one\nnew\ntwo\nX\nx\n", before: [[1, "applied", [1]]] };
    expect(await apply("one\nnew\ntwo\nx\nx\n", hunks)).toMatchObject(done);
  });

  test("leaves in doubt a hunk without a line that fits elsewhere while its result is there", async () => {
    expect(await apply("X\nMARK\nx\n", "@@\n-x\n+X\n@@\n-mark\n+MARK\n")).toEqual({
      misses: [[1, "perhaps applied", [3, 1]]],
    });
  });

  // No file tells whether these were applied: an insertion without context, a mode, a file that is written anew.
  const untold = /without context|only new lines|mode|names a file with spaces|deleted and written/;
  const again = readCorpus().filter(({ expected, title }) => "files" in expected && !untold.test(title));
  test.for(again.map((one) => [one.title, one] as const))("is refused the second time: %s", async ([, one]) => {
    const { files } = await patch(one.files, one.diff);
    const second = patch(files, one.diff);
    await expect(second).rejects.toThrow(/already|exist|changes? nothing|would not change|fits/);
  });
});

describe("the end of the file", () => {
  const body = fc.array(fc.constantFrom("a", "b", "c", ""), { minLength: 1, maxLength: 4 });
  test("has a newline afterwards if it had one, where the diff says nothing", async () => {
    const run = fc.asyncProperty(
      body,
      body,
      fc.boolean(),
      fc.constantFrom("\n", "\r\n"),
      async (old, fresh, open, end) => {
        const lines = ["first", ...old, "last"];
        const file = lines.join(end) + (open ? "" : end);
        const hunk = `@@ -1,${lines.length} +1,${fresh.length + 1} @@\n first\n${lines
          .slice(1)
          .map((line) => `-${line}\n`)
          .join("")}${fresh.map((line) => `+${line}\n`).join("")}`;
        const expected = ["first", ...fresh].join(end) + (open ? "" : end);
        expect(await apply(file, hunk)).toMatchObject({ text: expected });
      },
    );
    await fc.assert(run, { numRuns: 200 });
  });
});

test("bytes that no hunk touches come through, whatever they are", async () => {
  const byte = fc.uint8Array({ maxLength: 80 }).map((all) => Buffer.from(all));
  const run = fc.asyncProperty(byte, byte, async (above, below) => {
    const [head, tail] = [Buffer.from("\nthe old line\n"), Buffer.from("\nfoot\n")];
    const file = Buffer.concat([Buffer.from("h"), above, head, below, tail]);
    const [plan] = parseDiff(`${HEAD}@@\n-the old line\n+the new line\n`);
    const result = await applyHunks(file, plan?.hunks ?? []);
    const expected = Buffer.concat([Buffer.from("h"), above, Buffer.from("\nthe new line\n"), below, tail]);
    expect("content" in result && result.content.equals(expected)).toBe(true);
  });
  await fc.assert(run, { numRuns: 300 });
});

test("a search that takes too many steps is given up, and the rest is not begun", async () => {
  const file = `${"a\n".repeat(50)}b\n`.repeat(40);
  const hunks = `@@\n${" a\n".repeat(49)}-a\n+c\n a\n b\n`.repeat(3);
  expect(await apply(file, hunks, 1000)).toEqual({
    misses: [1, 2, 3].map((hunk) => [hunk, "too repetitive", []]),
  });
});

// Each took minutes with a search that is quadratic; the time that any test may take is the bound.
describe("hostile input ends in time", () => {
  const big = Array.from({ length: 40_000 }, (_, line) => `line ${line} of a file that is rather long`).join("\n");
  const same = "a\n".repeat(1_000_000);
  const hunksOf = (count: number, hunk: (nth: number) => string): string =>
    Array.from({ length: count }, (_, nth) => hunk(nth)).join("");

  test.for<readonly [string, string, string, string]>([
    [
      "an 8,000-line diff against the wrong file",
      big,
      HEAD +
        hunksOf(
          1100,
          (nth) =>
            `@@ -${nth * 9 + 1},6 +${nth * 9 + 1},6 @@\n alpha ${nth}\n beta ${nth}\n-gone ${nth}\n+come ${nth}\n delta ${nth}\n`,
        ),
      "fits nowhere",
    ],
    ["a million @@", big, HEAD + "@@\n".repeat(1_000_000), "more than 200000 lines"],
    ["a hundred thousand @@", big, HEAD + "@@\n".repeat(100_000), "more than 20000 hunks"],
    ["a hundred thousand anchors", big, HEAD + "@@ x\n".repeat(100_000), "more than 20000 hunks"],
    ["anchors that are nowhere", same, HEAD + hunksOf(19_000, (nth) => `@@ no ${nth}\n-x\n+y\n`), "repeat too often"],
    [
      "hunks that nearly fit everywhere",
      `${"a\n".repeat(29)}b\n`.repeat(20_000),
      HEAD + `@@\n${" a\n".repeat(30)}-a\n+c\n b\n`.repeat(5000),
      "repeat too often",
    ],
    ["hunks that fit everywhere", same, HEAD + "@@\n a\n-a\n+c\n".repeat(19_000), "fits at lines 1, 2"],
    [
      "a line of two million characters",
      `${"x".repeat(2_000_000)}z\n`,
      `${HEAD}@@ -1 +1 @@\n-${"x".repeat(2_000_000)}\n+y\n`,
      "nearest is line 1",
    ],
    ["a header of two million blanks", same, `${HEAD}@@ -1${" ".repeat(2_000_000)}x\n-a\n+b\n`, "fits at lines"],
    [
      "a time of two million digits",
      same,
      `--- f ${"2026-01-01 ".repeat(200_000)}\n+++ f\n@@\n-a\n+b\n`,
      "2200001 bytes",
    ],
    [
      "a name of two million backslashes",
      same,
      `--- "${"\\".repeat(2_000_000)}\n+++ b/f\n@@\n-a\n+b\n`,
      "2000001 bytes",
    ],
    ["a git header of two million bytes", same, `diff --git ${" b/".repeat(600_000)}\n@@\n-a\n+b\n`, "bytes"],
    [
      "a hunk of 190,000 lines",
      big,
      `${HEAD}@@ -1 +1 @@\n${hunksOf(95_000, (nth) => `-q${nth}\n+w${nth}\n`)}`,
      "fits nowhere",
    ],
    [
      "headers as lines of a hunk",
      big,
      `${HEAD}@@ -1,200000 +1,200000 @@\n${"--- x\n+++ y\n".repeat(95_000)}`,
      "fits nowhere",
    ],
    ["fences", big, "```\n".repeat(190_000), "names no file"],
    ["one large file in 900 parts", same, `${HEAD}@@ -1 +1 @@\n-a\n+b\n`.repeat(900), "more than 100663296 bytes"],
  ])("%s", async ([, file, diff, said]) => {
    const content = Buffer.from(file);
    const thrown: unknown = await patch(new Map([["f", content]]), diff).catch((error: unknown) => error);
    expect(String(thrown)).toContain(said);
  });
});
