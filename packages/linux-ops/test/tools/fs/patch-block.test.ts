import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { settingsOf } from "@llmc/config";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { openServices, VERSION } from "../../../src/index.js";
import { kept, opsWith, test, textOf } from "../../helpers.js";

const TEXT = "function a() {\n  return 1;\n}\n\nfunction b() {\n  return 1;\n}\n";

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly details: Record<string, unknown>;
}

function failureOf(work: Promise<unknown>): Promise<Failure> {
  return work.then(
    () => ({ code: "none" }) as Failure,
    (thrown: unknown) => thrown as Failure,
  );
}

test("replaces text to the letter and shows the place before and after", async ({ root, ops }) => {
  const path = join(root, "a.ts");
  writeFileSync(path, TEXT);
  const args = { path, old_text: "function b() {\n  return 1;", new_text: "function b() {\n  return $& + $1;" };
  expect(await ops.call("linux.fs_patch_block", args)).toEqual({
    path,
    replacements_made: 1,
    before_snippet: expect.stringContaining("function b() {\n  return 1;\n}"),
    after_snippet: expect.stringContaining("function b() {\n  return $& + $1;\n}"),
    lines: [5],
    places: [{ line: 6, old: "  return 1;", new: "  return $& + $1;" }],
    undo: null,
    undo_reason: expect.any(String),
  });
  expect(readFileSync(path, "utf8")).toBe(TEXT.replace("b() {\n  return 1;", () => "b() {\n  return $& + $1;"));
});

test("another count than expected changes nothing, and the hint's count lets the next try through", async ({
  root,
  ops,
}) => {
  const path = join(root, "a.ts");
  writeFileSync(path, TEXT);
  const args = { path, old_text: "return 1;", new_text: "return 2;" };
  const miss = await failureOf(ops.call("linux.fs_patch_block", args));
  expect(miss).toMatchObject({ code: "PATCH_COUNT_MISMATCH", details: { found: 2, expected: 1 } });
  expect(readFileSync(path, "utf8")).toBe(TEXT);
  const [, count] = /expected_replacements[=: ]+(\d+)/.exec(miss.hint) ?? [];
  const result = await ops.call("linux.fs_patch_block", { ...args, expected_replacements: Number(count) });
  expect(result.replacements_made).toBe(2);
});

test("new lines get the file's line ends, and that is told", async ({ root, ops }) => {
  const path = join(root, "a.ts");
  writeFileSync(path, "a\r\nb\r\n");
  const { edits } = await ops.call("linux.fs_patch_block", { path, old_text: "a", new_text: "x\ny" });
  expect(edits).toEqual([{ replacements: 1, lines: [1], note: "CRLF kept" }]);
  expect(readFileSync(path, "utf8")).toBe("x\r\ny\r\nb\r\n");
});

test("whitespace is settled where one place fits, and that is told", async ({ root, ops }) => {
  const path = join(root, "a.ts");
  writeFileSync(path, "if (a) {\r\n\treturn 1;  \r\n}\r\n");
  const args = { path, old_text: "if (a) {\n    return 1;\n}", new_text: "if (b) {\n    return 2;\n}" };
  const { edits } = await ops.call("linux.fs_patch_block", args);
  expect(edits).toEqual(
    [
      {
        replacements: 1,
        lines: [1],
        note: "CRLF kept",
        normalized: [
          { kind: "line endings", lines: [1, 2], count: 2 },
          { kind: "trailing whitespace", lines: [2], count: 1 },
          { kind: "indentation", lines: [2], count: 1 },
        ].toSorted((one, other) => one.kind.localeCompare(other.kind)),
      },
    ].map((edit) => ({ ...edit, normalized: expect.arrayContaining(edit.normalized) })),
  );
  expect(readFileSync(path, "utf8")).toBe("if (b) {\r\n\treturn 2;\r\n}\r\n");
});

test("where several places fit but for indentation, they are named; normalize takes as many as are expected", async ({
  root,
  ops,
}) => {
  const path = join(root, "text.py");
  writeFileSync(path, `${"x\n".repeat(6)}\tif a:\n\t\tb()\n${"y\n".repeat(31)}        if a:\n            b()\n`);
  const args = { path, old_text: "    if a:\n        b()\n", new_text: "    pass\n" };
  const miss = await failureOf(ops.call("linux.fs_patch_block", args));
  expect(miss).toMatchObject({
    code: "PATCH_COUNT_MISMATCH",
    message: "old_text fits 2 places of text.py but for indentation: lines 7-8, 40-41",
    hint: "Send more lines.",
  });
  const both = { ...args, normalize: true, expected_replacements: 2 };
  expect(await ops.call("linux.fs_patch_block", both)).toMatchObject({ replacements_made: 2 });
});

test.for([
  ["class Foo", "old_text is not in cart.py. Closest line 6: class Item:"],
  ["nope", "old_text is not in cart.py. Closest line 3: name = 1"],
  ["foo", "old_text is not in cart.py. Closest line 1: for name in names:"],
  ["SELECT", "old_text is not in cart.py"],
])("%s is not there, and nothing else is offered in its place", async ([old_text, message], { root, ops }) => {
  const text = "for name in names:\n    print(name)\nname = 1\n\n\nclass Item:\n    pass\n";
  writeFileSync(join(root, "cart.py"), text);
  const miss = await failureOf(ops.call("linux.fs_patch_block", { path: "cart.py", old_text, new_text: "x" }));
  expect(miss).toMatchObject({
    message,
    hint: "Read the place with linux.fs_read, and send old_text as it stands there.",
  });
});

test("a file in windows-1252 is patched in its encoding, and a character that it lacks is refused", async ({
  root,
  ops,
}) => {
  writeFileSync(join(root, "f"), Buffer.from("pr\xe9nom\ncaf\xe9\n", "latin1"));
  const patch = (old_text: string, new_text: string) =>
    ops.call("linux.fs_patch_block", { path: "f", old_text, new_text });
  expect(await patch("prénom", "“prénom” 5 €")).toMatchObject({
    before_snippet: "prénom\ncafé\n",
    after_snippet: "“prénom” 5 €\ncafé\n",
    note: "windows-1252, kept",
  });
  expect(await failureOf(patch("café", "→"))).toMatchObject({
    code: "INVALID_ARGUMENT",
    message: 'f is windows-1252 text, which has no "→"',
    hint: "Write it in other characters, or write the whole file anew as UTF-8 with linux.fs_write.",
  });
  expect(readFileSync(join(root, "f"), "latin1")).toBe("\x93pr\xe9nom\x94 5 \x80\ncaf\xe9\n");
});

kept("an edit that was made before is passed over; the undo takes back the others", async ({ root, ops }) => {
  const path = join(root, "a.ts");
  writeFileSync(path, TEXT);
  const first = { old_text: "function a", new_text: "function c" };
  const second = { old_text: "function b", new_text: "function d" };
  await ops.call("linux.fs_patch_block", { path, edits: [first] });
  const done = readFileSync(path, "utf8");
  expect(await ops.call("linux.fs_patch_block", { path, edits: [first, second] })).toMatchObject({
    replacements_made: 1,
    edits: [
      { replacements: 0, lines: [1], note: "was there already" },
      { replacements: 1, lines: [5] },
    ],
  });
  const again = await failureOf(ops.call("linux.fs_patch_block", { path, edits: [first, second] }));
  expect(again).toMatchObject({ code: "PATCH_COUNT_MISMATCH", hint: expect.stringContaining("is there already") });
  await ops.call("linux.fs_undo", {});
  expect(readFileSync(path, "utf8")).toBe(done);
});

test("several edits are made all or none, each on what the ones before left", async ({ root, ops }) => {
  const path = join(root, "a.ts");
  writeFileSync(path, TEXT);
  const good = { old_text: "function a", new_text: "function c" };
  const bad = { old_text: "function nowhere", new_text: "x" };
  const miss = await failureOf(ops.call("linux.fs_patch_block", { path, edits: [good, bad] }));
  expect(miss).toMatchObject({ code: "PATCH_COUNT_MISMATCH", details: { edit: 1 } });
  expect(readFileSync(path, "utf8")).toBe(TEXT);
  const second = { old_text: "function c() {\n  return 1;", new_text: "function c() {\n  return 3;" };
  const result = await ops.call("linux.fs_patch_block", { path, edits: [good, second] });
  expect(result).toMatchObject({ replacements_made: 2, edits: [{ replacements: 1 }, { replacements: 1 }] });
  expect(readFileSync(path, "utf8")).toContain("function c() {\n  return 3;");
});

test("a dry run tells the same and changes nothing", async ({ root, ops }) => {
  const path = join(root, "a.ts");
  writeFileSync(path, TEXT);
  const args = { path, old_text: "function a", new_text: "function z" };
  expect(await ops.call("linux.fs_patch_block", { ...args, dry_run: true })).toMatchObject({
    dry_run: true,
    replacements_made: 1,
  });
  expect(readFileSync(path, "utf8")).toBe(TEXT);
});

test.for([
  [{ old_text: "a" }, "INVALID_ARGUMENT"],
  [{}, "INVALID_ARGUMENT"],
  [{ old_text: "", new_text: "x" }, "INVALID_ARGUMENT"],
  [{ old_text: "a", new_text: "b", edits: [{ old_text: "a", new_text: "b" }] }, "INVALID_ARGUMENT"],
  [{ path: "gone", old_text: "a", new_text: "b" }, "NOT_FOUND"],
  [{ path: ".", old_text: "a", new_text: "b" }, "IS_DIRECTORY"],
  [{ path: "bin", old_text: "a", new_text: "b" }, "UNSUPPORTED_CONTENT"],
  [{ path: "big", old_text: "a", new_text: "b" }, "OUTPUT_TOO_LARGE"],
] as const)("%j is %s", async ([args, code], { root }) => {
  const ops = opsWith(root, { linux_ops: { fs: { max_patch_bytes: 2048 } } });
  writeFileSync(join(root, "a.ts"), TEXT);
  writeFileSync(join(root, "bin"), Buffer.from([0x61, 0, 1, 2]));
  writeFileSync(join(root, "big"), "a\n".repeat(2000));
  const given: { path: string } = { path: "a.ts", ...args };
  expect((await failureOf(ops.call("linux.fs_patch_block", given))).code).toBe(code);
  await ops.close();
});

async function shown(root: string, args: object): Promise<string> {
  const text = await textOf(root, "linux.fs_patch_block", { path: "cart.py", ...args });
  return text.replace(/no undo: [^\]]*/, "no undo");
}

const SHOP = "import os\n\n\nclass Item:\n    price = 1\n\nclass Cart:\n    price = 2\n";

test.for<readonly [string, object, string]>([
  [
    "a line",
    { old_text: "class Item:", new_text: "class Product:" },
    "[cart.py · line 4 · no undo]\n- class Item:\n+ class Product:",
  ],
  [
    "a part of a line, with all of the line",
    { old_text: "os", new_text: "sys" },
    "[cart.py · line 1 · no undo]\n- import os\n+ import sys",
  ],
  [
    "lines that are added",
    { old_text: "import os\n", new_text: "import os\nimport re\nimport sys\n" },
    "[cart.py · line 2 · no undo]\n+ import re …[+1 line]",
  ],
  [
    "lines that are taken out",
    { old_text: "    price = 2\n", new_text: "" },
    "[cart.py · line 8 · no undo]\n-     price = 2",
  ],
  [
    "several places",
    { old_text: "price", new_text: "cost", expected_replacements: 2 },
    "[cart.py · 2 replacements, lines 5, 8 · no undo]\n-     price = 1\n+     cost = 1\n-     price = 2\n+     cost = 2",
  ],
  [
    "several edits in the order of the file, and whitespace that was settled",
    {
      edits: [
        { old_text: "class Cart:\n\tprice = 2\n", new_text: "class Cart:\n\tprice = 3\n" },
        { old_text: "Item", new_text: "Product" },
      ],
    },
    "[cart.py · 2 replacements, lines 4, 8 · indentation taken from the file · no undo]\n- class Item:\n+ class Product:\n-     price = 2\n+     price = 3",
  ],
  [
    "a dry run",
    { old_text: "os", new_text: "sys", dry_run: true },
    "[cart.py · dry run, nothing changed · line 1]\n- import os\n+ import sys",
  ],
])("the text is a header and a line of each side for a place: %s", async ([, args, expected], { root }) => {
  writeFileSync(join(root, "cart.py"), SHOP);
  expect(await shown(root, args)).toBe(expected);
});

test("of many places the text has the first five and how many more there are", async ({ root }) => {
  writeFileSync(join(root, "cart.py"), "a b\n".repeat(50));
  const text = await shown(root, { old_text: "a", new_text: "c", expected_replacements: 50 });
  expect(text).toBe(
    `[cart.py · 50 replacements, lines 1, 2, 3, 4, 5, … · no undo]\n${"- a b\n+ c b\n".repeat(5)}… 45 more`,
  );
});

test("CRLF that is kept, an encoding that is kept and an edit that was made before are short notes", async ({
  root,
}) => {
  writeFileSync(join(root, "cart.py"), Buffer.from("caf\xe9\r\ntea\r\nnew line\r\n", "latin1"));
  const edits = [
    { old_text: "old line", new_text: "new line" },
    { old_text: "café\ntea", new_text: "café\nthé" },
  ];
  expect(await shown(root, { edits })).toBe(
    "[cart.py · line 2 · edits[0] was there already · CRLF kept · windows-1252, kept · no undo]\n- tea\n+ thé",
  );
});

kept("a one-line edit costs at most 60 tokens, with the full id of its undo", async ({ root, dataDir }) => {
  writeFileSync(join(root, "cart.py"), "        return self.total(items) * (1 + self.tax_rate)\n");
  const args = { path: "cart.py", old_text: "self.tax_rate", new_text: "self.tax" };
  const services = openServices({ settings: settingsOf({ roots: [root], dataDir }), version: VERSION, log: null });
  const session = { id: "s", agentId: "a", model: "m", token: "t", owner: "o" };
  const answer = await services.dispatcher.call("linux.fs_patch_block", args, { session, entry: "library" });
  const text = answer.text();
  await services.close();
  expect(text).toMatch(/undo u\d{9}\b/);
  expect(countTokens(text)).toBeLessThanOrEqual(60);
});
