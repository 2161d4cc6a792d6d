import { expect, test } from "vitest";
import { replaceBlocks, type Replaced } from "../../src/block/replace-blocks.js";

const edit = (oldText: string, newText: string, expected?: number) =>
  expected === undefined ? { oldText, newText } : { oldText, newText, expected };

async function written(...args: Parameters<typeof replaceBlocks>): Promise<string> {
  return (await replaceBlocks(...args)).content.toString("latin1");
}

const text = (units: string): Buffer => Buffer.from(units, "latin1");

test("one block is replaced, and the answer shows it with the lines around it, before and after", async () => {
  const content = "a\nb\nc\nd\nold\ne\nf\ng\nh\n";
  expect(await replaceBlocks(content, [edit("old", "new\nnewer")])).toEqual({
    content: Buffer.from("a\nb\nc\nd\nnew\nnewer\ne\nf\ng\nh\n"),
    encoding: "utf-8",
    replacementsMade: 1,
    edits: [{ replacements: 1, lines: [5], places: [{ line: 5, count: 1, old: "old", fresh: "new …[+1 line]" }] }],
    beforeSnippet: "b\nc\nd\nold\ne\nf\ng",
    afterSnippet: "b\nc\nd\nnew\nnewer\ne\nf\ng",
  } satisfies Replaced);
});

test("all occurrences are replaced when there are as many as expected, from left to right and without overlap", async () => {
  const done = await replaceBlocks("aaaaa\nx\naa", [edit("aa", "b\n", 3)]);
  expect(done.content.toString()).toBe("b\nb\na\nx\nb\n");
  expect(done).toMatchObject({ replacementsMade: 3, edits: [{ replacements: 3, lines: [1, 2, 5] }] });
});

test.for(["$&", "$1", "$$", "$`", "$'", "\\1", "${x}", "%s"])("%s in a replacement is plain text", async (pattern) => {
  expect(await written("a b c", [edit("b", pattern)])).toBe(`a ${pattern} c`);
  expect(
    await written("a \tb\nc", [edit(" b\nc", `${pattern}\n${pattern}`)], { normalize: true }).catch(() => ""),
  ).toBe("");
  expect(await written("a\n\tb c\n", [edit("  b c\n", `  ${pattern}\n`)], { normalize: true })).toBe(
    `a\n\t${pattern}\n`,
  );
});

test("what no edit touches keeps its bytes: a BOM, bytes that are no UTF-8, mixed line endings, no newline at the end", async () => {
  const odd = text("\xef\xbb\xbfa\xff\xfe\x80\r\nb\rc\n\xc3old\xe2\x82end");
  const done = await replaceBlocks(odd, [edit("old", "é")]);
  expect(done.content).toEqual(text("\xef\xbb\xbfa\xff\xfe\x80\r\nb\rc\n\xc3\xc3\xa9\xe2\x82end"));
});

test("text beyond ASCII is found and written as UTF-8", async () => {
  expect((await replaceBlocks("naïve – 日本 🙂", [edit("– 日本 🙂", "— 🇫🇷")])).content.toString()).toBe("naïve — 🇫🇷");
});

test.for([
  ["utf16le", (units: Buffer) => Buffer.from(units)],
  ["utf-16be", (units: Buffer) => Buffer.from(units).swap16()],
] as const)(
  "a file in %s is edited as text and stays in its encoding, with its mark and a byte too many",
  async ([, order]) => {
    const file = (content: string, ...rest: number[]) =>
      Buffer.concat([order(Buffer.from(`\ufeff${content}`, "utf16le")), Buffer.from(rest)]);
    const done = await replaceBlocks(file("eins\r\nzwei 🙂\r\n", 7), [edit("zwei 🙂", "drei 日本")]);
    expect(done.content).toEqual(file("eins\r\ndrei 日本\r\n", 7));
    expect([done.beforeSnippet, done.afterSnippet]).toEqual(["eins\nzwei 🙂\n", "eins\ndrei 日本\n"]);
  },
);

test("in UTF-16 a block is not found between two characters", async () => {
  // "\u4100\u0042" has the bytes of "A" in its middle.
  const file = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("\u4100\u0042", "utf16le")]);
  await expect(replaceBlocks(file, [edit("A", "x")])).rejects.toMatchObject({ code: "PATCH_COUNT_MISMATCH" });
});

test("edits are made in order, a later one on what the earlier ones left; lines are those of the end", async () => {
  const done = await replaceBlocks("a\nb\nc\n", [
    edit("c", "d"),
    edit("b\nd", "e\ne\nf"),
    edit("a\n", "x\ny\n"),
    edit("e", "g", 2),
  ]);
  expect(done.content.toString()).toBe("x\ny\ng\ng\nf\n");
  expect(done.replacementsMade).toBe(5);
  const place = (line: number, old: string, fresh: string) => ({ line, count: 1, old, fresh });
  expect(done.edits).toEqual([
    { replacements: 1, lines: [3], places: [place(3, "c", "d")] },
    { replacements: 1, lines: [3], places: [place(3, "b …[+1 line]", "e …[+2 lines]")] },
    { replacements: 1, lines: [1], places: [place(1, "a", "x …[+1 line]")] },
    { replacements: 2, lines: [3, 4], places: [place(3, "e", "g"), place(4, "e", "g")] },
  ]);
  expect([done.beforeSnippet, done.afterSnippet]).toEqual(["a\nb\nc\n", "x\ny\ng\ng\nf\n"]);
});

test("a line's number follows what later edits add and take away above it", async () => {
  const content = Array.from({ length: 30 }, (_, n) => `line ${n + 1};`).join("\n");
  const done = await replaceBlocks(content, [
    edit("line 20;", "twenty"),
    edit("line 3;\n", ""),
    edit("line 10;", "a\nb\nc"),
    edit("line 25;", "x\ny"),
  ]);
  const lines = done.content.toString().split("\n");
  expect(done.edits.map((one) => one.lines)).toEqual([[21], [3], [9], [26]]);
  expect([lines[20], lines[8], lines[25]]).toEqual(["twenty", "a", "x"]);
});

test("of many replacements the first ten lines are listed, and the first five are shown", async () => {
  const done = await replaceBlocks("x\n".repeat(50), [edit("x", "yy", 50)]);
  const places = [1, 2, 3, 4, 5].map((line) => ({ line, count: 1, old: "x", fresh: "yy" }));
  expect(done.edits).toEqual([{ replacements: 50, lines: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], places }]);
});

test.for([
  ["a line that was added", "a\nb\n", "a\n", "a\nnew\n", null, "new"],
  ["a line that was taken out", "a\nb\nc\n", "b\n", "", "b", null],
  ["a part of a line", "let a = 1; // b\n", "1", "2", "let a = 1; // b", "let a = 2; // b"],
  ["lines that stay at both ends", "a\nb\nc\nd\n", "a\nb\nc\nd", "a\nB\nC\nd", "b …[+1 line]", "B …[+1 line]"],
  ["a line of a CRLF file", "a\r\nb\r\n", "b", "B", "b", "B"],
] as const)("a place is shown as %s", async ([, content, old, fresh, gone, made]) => {
  const only = (done: Replaced) => done.edits[0]?.places.map((place) => [place.old, place.fresh]);
  expect(only(await replaceBlocks(content, [edit(old, fresh)]))).toEqual([[gone, made]]);
  // Two edits take the slow path, which must answer like the quick one.
  const more = await replaceBlocks(`${content}\nlast\n`, [edit(old, fresh), edit("last", "end")]);
  expect(only(more)).toEqual([[gone, made]]);
});

test("several places in one line are one line, and a long line is shown around its change", async () => {
  const places = async (content: string, ...args: [string, string, number]) =>
    (await replaceBlocks(content, [edit(...args)])).edits[0]?.places;
  expect(await places("a a\nb\n", "a", "c", 2)).toEqual([{ line: 1, count: 2, old: "a a", fresh: "c c" }]);
  const [long] = (await places(`${"x".repeat(9000)}A${"y".repeat(9000)}\n`, "A", "B", 1)) ?? [];
  expect(long?.old).toMatch(/^\[\+\d+ chars\]…x+Ay+…\[\+\d+ chars\]$/);
  expect(long?.fresh?.length).toBeLessThan(220);
});

test("when one edit does not fit, none is made, and the error names it", async () => {
  const content = Buffer.from("a\nb\n");
  const edits = [edit("a", "1"), edit("b", "2"), edit("c", "3")];
  await expect(replaceBlocks(content, edits, { path: "/x" })).rejects.toMatchObject({
    code: "PATCH_COUNT_MISMATCH",
    message: "edit 2: the text to replace is not in /x (as the edits before it leave the text)",
    details: { edit: 2, found: 0, expected: 1 },
  });
  expect(content.toString()).toBe("a\nb\n");
});

test.for([
  ["no edit", [], "There is no edit", { id: "give-an-edit" }],
  ["an empty block", [edit("", "x")], "the text to replace is empty", { id: "name-old-text" }],
  [
    "an empty block among others",
    [edit("a", "b"), edit("", "x")],
    "edit 1: the text to replace is empty",
    { id: "name-old-text", edit: 1 },
  ],
  [
    "nothing to change",
    [edit("a", "a")],
    "the new text is the one to replace, so nothing would change",
    { id: "change-something" },
  ],
  [
    "half a character",
    [edit("a", "\ud83d")],
    "the new text has half of a surrogate pair, which is not a character",
    { id: "whole-characters", text: "new" },
  ],
  [
    "half a character to find among others",
    [edit("a", "b"), edit("\ude42", "")],
    "edit 1: the text to replace has half of a surrogate pair, which is not a character",
    { id: "whole-characters", edit: 1, text: "old" },
  ],
  [
    "replacements without end",
    [edit("a", "b", 100_001)],
    "more than 100000 replacements are expected",
    { id: "fewer-replacements", most: 100_000 },
  ],
] as const)("%s is refused with a remedy", async ([, edits, message, remedy]) => {
  await expect(replaceBlocks("a", edits)).rejects.toMatchObject({ code: "INVALID_ARGUMENT", message, remedy });
});

test("edits without end are refused with how many fit", async () => {
  await expect(
    replaceBlocks(
      "a",
      Array.from({ length: 1001 }, () => edit("a", "b")),
    ),
  ).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: "1001 edits are too many",
    hint: "Send at most 1000 in one call.",
  });
});

test("what is to be inserted replaces the line beside the place, which is repeated", async () => {
  expect(await written("a\nb\n", [edit("b\n", "new\nb\n")])).toBe("a\nnew\nb\n");
});

test("a file that would grow above the limit is refused before it is built", async () => {
  const limit = { path: "/x", maxBytes: 1000 };
  const error = { code: "OUTPUT_TOO_LARGE", message: "/x would grow above the limit for patches" };
  await expect(replaceBlocks("a".repeat(990), [edit("a".repeat(10), "b".repeat(21), 99)], limit)).rejects.toMatchObject(
    error,
  );
  await expect(replaceBlocks("a", [edit("a", "b".repeat(1001))], limit)).rejects.toMatchObject(error);
  await expect(replaceBlocks("a\n", [edit("a\n", "b".repeat(999)), edit("b", "cc", 999)], limit)).rejects.toMatchObject(
    error,
  );
  expect(await written("a", [edit("a", "b".repeat(1000))], limit)).toBe("b".repeat(1000));
  const wide = Buffer.from("\ufeffa", "utf16le");
  await expect(replaceBlocks(wide, [edit("a", "b".repeat(501))], limit)).rejects.toMatchObject(error);
});

test("without a limit from the caller it is 16 MiB", async () => {
  const most = 16 * 1024 * 1024;
  await expect(replaceBlocks("ab", [edit("b", "x".repeat(most))])).rejects.toMatchObject({ code: "OUTPUT_TOO_LARGE" });
  expect((await replaceBlocks("ab", [edit("b", "x".repeat(most - 1))])).content.length).toBe(most);
});

test("a replacement that the file's own indentation would blow up is refused before it is built", async () => {
  const content = `${"\t".repeat(100_000)}x\n`;
  const fresh = " y\n".repeat(100_000);
  await expect(replaceBlocks(content, [edit(" x\n", fresh)], { normalize: true })).rejects.toMatchObject({
    code: "OUTPUT_TOO_LARGE",
  });
});

test("more work than a call may have is refused before it begins, with how many edits do fit", async () => {
  const content = "x".repeat(4 * 1024 * 1024);
  const edits = Array.from({ length: 257 }, (_, n) => edit(`<${n}>`, `(${n})`));
  await expect(replaceBlocks(content, edits)).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    hint: "Send at most 256 in one call.",
  });
  await expect(replaceBlocks(content, edits.slice(0, 256))).rejects.toMatchObject({ code: "PATCH_COUNT_MISMATCH" });
});

test("work that grows on the way is refused as well", async () => {
  const edits = Array.from({ length: 100 }, (_, n) => edit(`<${n}>`, `<${n + 1}>`));
  const grows = [edit("y", "x".repeat(12 * 1024 * 1024)), ...edits];
  await expect(replaceBlocks("y<0>", grows)).rejects.toMatchObject({ hint: "Send at most 85 in one call." });
});

test("a call that is cancelled ends with its reason, and others have their turn while it works", async () => {
  const aborted = AbortSignal.abort();
  await expect(replaceBlocks("a", [edit("a", "b")], { signal: aborted })).rejects.toMatchObject({ code: "CANCELLED" });

  const content = `${"x".repeat(2_000_000)}\n${Array.from({ length: 200 }, (_, n) => `<${n}>`).join("\n")}`;
  const edits = Array.from({ length: 200 }, (_, n) => edit(`<${n}>`, `(${n})`));
  const controller = new AbortController();
  setImmediate(() => controller.abort());
  await expect(replaceBlocks(content, edits, { signal: controller.signal })).rejects.toMatchObject({
    code: "CANCELLED",
  });
});

test("new lines in place of a part of a line end as the lines do there, and that is told", async () => {
  const done = await replaceBlocks("a\r\na\n", [edit("a", "b\nc", 2)]);
  expect(done.content.toString()).toBe("b\r\nc\r\nb\nc\n");
  expect(done.edits[0]).toEqual({
    replacements: 2,
    lines: [1, 3],
    places: [
      { line: 1, count: 1, old: "a", fresh: "b …[+1 line]" },
      { line: 3, count: 1, old: "a", fresh: "b …[+1 line]" },
    ],
    lineEnds: "CRLF",
  });
});

test.for([
  ["a\r\nb\r\n", "a", "x\ny", "x\r\ny\r\nb\r\n", "CRLF"],
  ["a\nb\n", "a", "x\r\ny", "x\ny\nb\n", "LF"],
  ["a\r\nb\r\n", "a", "x\r\ny", "x\r\ny\r\nb\r\n", undefined],
  ["a\r\nb\r\n", "a\r\n", "a\n", "a\nb\r\n", undefined],
  ["a\r\nb\r\n", "a", "x", "x\r\nb\r\n", undefined],
  ["a", "a", "x\ny", "x\ny", undefined],
] as const)(
  "in %j, %j with %j gives %j: line ends are the file's, unless they are what is replaced",
  async ([content, old, fresh, expected, ends]) => {
    // A second edit takes the way of several edits, which must answer the same.
    for (const edits of [[edit(old, fresh)], [edit(old, fresh), edit("b", "b!")]]) {
      if (edits.length > 1 && !content.includes("b")) continue;
      const done = await replaceBlocks(content, edits);
      expect(done.content.toString().replace("!", "")).toBe(expected);
      expect(done.edits[0]?.lineEnds).toBe(ends);
    }
  },
);
