import type { Advice, PatchCountMismatchError } from "@llmc/errors";
import { expect, test } from "vitest";
import { replaceBlocks, type ReplaceOptions } from "../../src/block/replace-blocks.js";

interface Call {
  readonly oldText: string;
  readonly newText: string;
  readonly expected?: number;
  readonly normalize?: ReplaceOptions["normalize"];
}

const run = (content: string | Buffer, { normalize, ...edit }: Call) =>
  replaceBlocks(content, [edit], { path: "/f", normalize });

async function miss(content: string | Buffer, call: Call): Promise<PatchCountMismatchError> {
  return run(content, call).then(
    () => expect.unreachable("it fits"),
    (thrown: unknown) => thrown as PatchCountMismatchError,
  );
}

/** What the error says of the next try. */
function adviceOf({ remedy }: PatchCountMismatchError): Advice | undefined {
  return remedy?.id === "text-to-replace" ? remedy.advice : undefined;
}

interface Nearest {
  readonly line: number;
  readonly end_line: number;
  readonly text: string;
  readonly diff: string;
}

const nearestOf = (error: PatchCountMismatchError) => error.details?.["nearest"] as Nearest;

/** Does what the remedy says with what the message shows, and nothing else. */
function follow(content: string, call: Call, error: PatchCountMismatchError): Call {
  const advice = adviceOf(error);
  if (typeof advice !== "object") return call;
  switch (advice.id) {
    case "longer-block":
      return advice.count === undefined ? call : { ...call, expected: advice.count };
    case "fewer-places":
      return { ...call, expected: advice.count };
    case "send-block":
      return { ...call, oldText: JSON.parse(advice.quote) as string };
    case "take-marked-lines":
      return { ...call, oldText: withMarked(call.oldText, error.message) };
    case "copy-block": {
      const lines = content.split("\n").slice(advice.line - 1, advice.endLine);
      return { ...call, oldText: lines.join("\n") };
    }
    default:
      return call;
  }
}

function withMarked(oldText: string, message: string): string {
  const shown = message.matchAll(/^line \d+: .*\n(?:- (.*))?\n?(?:\+ (.*))?/gm);
  return Array.from(shown).reduce(
    (text, [, own = "", there = ""]) => text.replace(own.replaceAll("→", "\t"), () => there.replaceAll("→", "\t")),
    oldText,
  );
}

const code = `export function total(items) {
\tlet sum = 0;
\tfor (const item of items) {
\t\tsum += item.price * item.count;   
\t}
\treturn sum;
}

export function mean(items) {
\treturn total(items) / items.length;
}
`;

test("a block that is nearly there: the error says what is closest, what differs and what to send", async () => {
  const oldText = "\tfor (const item of item) {\n\t\tsum += item.price - item.count;\n";
  const error = await miss(code.replaceAll("   \n", "\n"), { oldText, newText: "" });
  const diff = `line 3: text
- →for (const item of item) {
+ →for (const item of items) {
line 4: text
- →→sum += item.price - item.count;
+ →→sum += item.price * item.count;`;
  expect(error.toEnvelope("c")).toEqual({
    code: "PATCH_COUNT_MISMATCH",
    message: `the text to replace is not in /f. Closest lines 3-4, different in text (- yours, + the file):\n${diff}`,
    found: 0,
    expected: 1,
    nearest: {
      line: 3,
      end_line: 4,
      score: 0.95,
      text: "\tfor (const item of items) {\n\t\tsum += item.price * item.count;\n",
      diff,
    },
    correlation_id: "c",
  });
  const quote = '"\\tfor (const item of items) {\\n\\t\\tsum += item.price * item.count;\\n"';
  expect(adviceOf(error)).toEqual({ id: "send-block", quote });
});

test.for([
  ["text", code, "\treturn total(items) / items.size;"],
  ["letter case", code, "\tReturn Total(items) / items.length;"],
  ["spacing", code, "sum+=item.price*item.count;"],
  ["look-alike characters", "say(“hi” – now);\nnext();\n", 'say("hi" - now);'],
  ["look-alike characters", "total =\u00a0sum;\nnext();\n", "total = sum;"],
  ["quote marks", "import x from 'x';\nnext();\n", 'import x from "x";'],
  ["text", code, "return total(items) / item.length;"],
  ["text", code, "export function mean(items) {\n\treturn totals(items) / items.length;\n}"],
] as const)(
  "a line that differs in %s: following the hint, the next call succeeds",
  async ([kind, content, oldText]) => {
    const call = { oldText, newText: "<replaced by the edit>" };
    const error = await miss(content, call);
    expect(error.code).toBe("PATCH_COUNT_MISMATCH");
    if (kind !== "text") expect(error.message).toContain(kind);
    expect((await run(content, follow(content, call, error))).replacementsMade).toBe(1);
    const { text } = nearestOf(error);
    expect((await run(content, { ...call, oldText: text })).content.toString()).toBe(
      content.replace(text, call.newText),
    );
  },
);

test.for([
  ["a part of a line", "total(list) / list.length", "Closest line 10: return total(items) / items.length;"],
  ["a short line", "\tReturn Sum;", "Closest line 6, different in letter case: return sum;"],
  ["a word that is not there", "class Total", "Closest line 1: export function total(items) {"],
  [
    "a line too many",
    "\tlet sum = 0;\n\tlet sum2 = 0;\n\tfor (const item of items) {",
    "Closest lines 2-3, without a line of yours",
  ],
  ["a line left out", "\tlet sum = 0;\n\t\tsum += item.price * item.count;", "Closest lines 2-4, with a line more"],
  [
    "a line that is another",
    "\tlet sum = 0;\n\tfor (const item of items) {\n\t\tlog();",
    "Closest lines 2-3, without a line of yours",
  ],
] as const)("%s: the closest lines are shown, and no text of theirs is offered", async ([, oldText, closest]) => {
  const error = await miss(code, { oldText, newText: "x" });
  expect(error.message).toContain(closest);
  expect(adviceOf(error)).toEqual({ id: "read-for-block" });
});

test("lines that are as much alike leave open which is meant, so that none of them is offered", async () => {
  const content = "const entry1 = load(7);\nconst entry2 = load(9);\n";
  const error = await miss(content, { oldText: "const entry1 = load(8);", newText: "x" });
  expect(error.message).toContain("Closest line 1: const entry1 = load(7);");
  expect(adviceOf(error)).toEqual({ id: "read-for-block" });
});

test("too many occurrences: their lines, and two ways on", async () => {
  const content = Array.from({ length: 36 }, (_, n) => (n % 3 === 0 ? "break;" : `x${n}`)).join("\n");
  const call = { oldText: "break;", newText: "return;" };
  const error = await miss(content, call);
  expect(error.toEnvelope("c")).toEqual({
    code: "PATCH_COUNT_MISMATCH",
    message: "the text to replace occurs 12 times in /f, not once: lines 1, 4, 7, 10, 13, 16, 19, 22, 25, 28 …",
    found: 12,
    expected: 1,
    lines: [1, 4, 7, 10, 13, 16, 19, 22, 25, 28],
    correlation_id: "c",
  });
  expect(adviceOf(error)).toEqual({ id: "longer-block", expected: 1, count: 12 });
  expect((await run(content, follow(content, call, error))).replacementsMade).toBe(12);
  expect((await run(content, { ...call, oldText: "break;\nx4" })).replacementsMade).toBe(1);
});

test("more occurrences than one call replaces: the remedy names no number that would be refused", async () => {
  const advice = async (count: number) => adviceOf(await miss("ab".repeat(count), { oldText: "a", newText: "b" }));
  expect(await advice(100_001)).toEqual({ id: "longer-block", expected: 1 });
  expect(await advice(100_000)).toEqual({ id: "longer-block", expected: 1, count: 100_000 });
});

test("too few occurrences: their lines, and the number to pass", async () => {
  const call = { oldText: "items", newText: "list", expected: 9 };
  const error = await miss(code, call);
  expect([error.message, adviceOf(error)]).toEqual([
    "the text to replace occurs 5 times in /f, not 9 times: lines 1, 3, 9, 10, 10",
    { id: "fewer-places", count: 5 },
  ]);
  expect((await run(code, follow(code, call, error))).replacementsMade).toBe(5);
});

test("with whitespace forgiven the count is that of what fits", async () => {
  const content = "a;\n  b;\nx\na;\n\tb;\n";
  const call = { oldText: "a;\n    b;", newText: "c;", normalize: true as const };
  const error = await miss(content, call);
  expect(error.details).toEqual({ found: 2, expected: 1, lines: [1, 4] });
  expect((await run(content, follow(content, call, error))).replacementsMade).toBe(2);
});

test("lines that occur several times are not offered, nor is the number of them", async () => {
  const content = "one();\n  two(1);\none();\n  two(1);\n";
  const error = await miss(content, { oldText: "one();\n  two(2);\n", newText: "x\n" });
  expect(error.message).toContain("Closest lines 1-2,");
  expect(adviceOf(error)).toEqual({ id: "read-for-block" });
});

test("a block of many lines is mended by the few that the message shows, and its end is not behind the file", async () => {
  const content = Array.from({ length: 9 }, (_, n) => `\tconst entry${n} = load("${n * 7}", options);\n`).join("");
  const call = { oldText: content.replace('load("28', 'store("28'), newText: "x" };
  const error = await miss(content, call);
  expect(error.message).toContain("Closest lines 1-9, different in text");
  expect(adviceOf(error)).toEqual({ id: "take-marked-lines", hasTabs: true });
  expect((await run(content, follow(content, call, error))).replacementsMade).toBe(1);
});

test("a block with more differences than the message shows is to be read, up to its last line", async () => {
  const content = Array.from({ length: 9 }, (_, n) => `const entry${n} = load("${n * 7}", options);\n`).join("");
  const call = { oldText: content.replaceAll("load", "store"), newText: "x" };
  const error = await miss(content, call);
  expect(adviceOf(error)).toEqual({ id: "copy-block", line: 1, endLine: 9 });
  expect((await run(content, follow(content, call, error))).replacementsMade).toBe(1);
});

test("of lines that are alike the one that has the number is the nearest", async () => {
  const rows = Array.from({ length: 30 }, (_, n) => `row ${n}\n`).join("");
  const block = await miss(rows, { oldText: "rowx 19\nrowx 20\nrowx 21\n", newText: "x" });
  expect(block.message).toContain("Closest lines 20-22,");
  expect((await miss(rows, { oldText: "rowx 23", newText: "x" })).message).toContain("Closest line 24: row 23");
});

test("a character that looks like a space is spelled out, in the quote and in the closest line", async () => {
  const error = await miss("total =\u00a0sum;\nnext();\n", { oldText: "total = sum;", newText: "x" });
  expect(adviceOf(error)).toEqual({ id: "send-block", quote: '"total =\\u00a0sum;"' });
  expect(error.message).toContain("Closest line 1, different in look-alike characters: total =\\u00a0sum;");
});

test("a nearest block too long for an answer is to be read", async () => {
  const words = ["alpha", "be", "gamma ray", "d", "epsilon, zeta and eta", "theta", "iota", "kappa lambda"];
  const content = Array.from({ length: 200 }, (_, n) => `${words[n % 7]} = ${words[n % 8]} + ${n * n};`).join("\n");
  const lines = content.split("\n").slice(40, 140);
  const call = { oldText: lines.map((line) => `${line} `.replace(";", "!;")).join("\n"), newText: "x" };
  const error = await miss(content, call);
  expect(adviceOf(error)).toEqual({ id: "copy-block", line: 41, endLine: 140 });
  expect(error.details?.["nearest"]).toMatchObject({ line: 41, end_line: 140, cut: true });
  expect(nearestOf(error).text.length).toBe(2000);
  expect((await run(content, follow(content, call, error))).replacementsMade).toBe(1);
});

test.for([1, 2] as const)(
  "a nearest block of 1,999 characters and %i more is given whole up to 2,000",
  async (more) => {
    const content = `${"abcdefghi ".repeat(199)}abcdefghi${"z".repeat(more)}\nnext\n`;
    const oldText = content.slice(0, -6).replace("abc", "abX");
    const error = await miss(content, { oldText, newText: "x" });
    const found = nearestOf(error);
    expect([found.text.length, error.details?.["nearest"]]).toEqual([2000, expect.objectContaining({ line: 1 })]);
    expect("cut" in found).toBe(more === 2);
  },
);

test("nothing alike: the remedy says where to look; an empty file is to be written", async () => {
  const nothing = await miss(code, { oldText: "SELECT name FROM users", newText: "x" });
  expect([nothing.message, adviceOf(nothing), nothing.details]).toEqual([
    "the text to replace is not in /f",
    { id: "read-for-block" },
    { found: 0, expected: 1 },
  ]);
  const empty = await miss("", { oldText: "a", newText: "b" });
  expect(adviceOf(empty)).toEqual({ id: "write-whole-file" });
});

test("an edit that was made before is recognised by what it wrote", async () => {
  const call = { oldText: "\tlet sum = 0;\n", newText: "\tlet sum = initial(items);\n" };
  const { content } = await run(code, call);
  const error = await miss(content, call);
  expect(adviceOf(error)).toEqual({ id: "edit-made-already", lines: [2] });
  expect(error.details).toMatchObject({ new_text_lines: [2] });
});

test("a short new text that happens to be there is no sign of that", async () => {
  const error = await miss(code, { oldText: "\treturn total(list) / list.length;", newText: "let sum" });
  expect(adviceOf(error)).toEqual({ id: "read-for-block" });
});

test("a short new text that is a line of its own is one, and one that brackets are is not", async () => {
  const made = await miss(code, { oldText: "\treturn total;", newText: "return sum;" });
  expect(adviceOf(made)).toEqual({ id: "edit-made-already", lines: [6] });
  expect(adviceOf(await miss("a\n{\nb\n", { oldText: "nowhere", newText: "{" }))).toEqual({ id: "read-for-block" });
});

test.for([
  ['\\n, \\t and \\"', "\\tlet sum = 0;\\n\\tfor (const"],
  ["&lt; and &amp;", "if (a &lt; b &amp;&amp; c) {"],
] as const)("a block with %s written out is to be sent with the characters themselves", async ([escapes, oldText]) => {
  const content = `${code}if (a < b && c) {\n`;
  const call = { oldText, newText: "x" };
  const error = await miss(content, call);
  expect(adviceOf(error)).toEqual({ id: "write-characters", escapes });
  expect((await run(content, { ...call, oldText: nearestOf(error).text })).replacementsMade).toBe(1);
});

test("bytes that are no text cannot be named: the remedy says to leave them out", async () => {
  const content = Buffer.from("first line\ncaf\xff au lait\nlast line\n", "latin1");
  const error = await miss(content, { oldText: "café au lait", newText: "tea" });
  expect(adviceOf(error)).toEqual({ id: "text-beside-bytes", line: 2 });
  expect((await run(content, { oldText: " au lait", newText: "" })).replacementsMade).toBe(1);
});

test("of several edits the message says which, and of which text the lines are", async () => {
  const edits = [
    { oldText: "\tlet sum = 0;\n", newText: "" },
    { oldText: "\tlet sum = 0;\n\tfor (const item of items) {\n", newText: "x" },
  ];
  const error = await replaceBlocks(code, edits, { path: "/f" }).then(
    () => expect.unreachable("it fits"),
    (thrown: unknown) => thrown as PatchCountMismatchError,
  );
  expect(error).toMatchObject({
    message: expect.stringMatching(
      /^edit 1: the text to replace is not in \/f\. Closest line 2 \(as the edits before it leave the text\)/,
    ),
    details: { edit: 1, nearest: { line: 2, text: "\tfor (const item of items) {\n" } },
  });
  expect(adviceOf(error)).toEqual({
    id: "several",
    of: ["The edits before it changed that text.", { id: "read-for-block" }],
  });
});

test("a message stays short, whatever the block is", async () => {
  const long = `${"x".repeat(3000)}\n`.repeat(20);
  const error = await miss(long.replaceAll("x\n", "y\n"), { oldText: long, newText: "z" });
  expect(error.message.length).toBeLessThanOrEqual(620);
  expect(error.message).toContain("different in text (- yours, + the file):\nline 1: text\n- …xxx");
  expect(JSON.stringify(error.toEnvelope("c")).length).toBeLessThan(6000);
});
