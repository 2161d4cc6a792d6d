import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { opsWith, test, textOf } from "../../helpers.js";

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

test("new lines that get the file's line ends are told of by the argument's name", async ({ root, ops }) => {
  const path = join(root, "a.ts");
  writeFileSync(path, "a\r\nb\r\n");
  const { edits } = await ops.call("linux.fs_patch_block", { path, old_text: "a", new_text: "x\ny" });
  expect(edits).toEqual([
    { replacements: 1, lines: [1], note: "new_text was written with CRLF line ends, as the file has them" },
  ]);
  expect(readFileSync(path, "utf8")).toBe("x\r\ny\r\nb\r\n");
});

test("a block whose whitespace differs is found with normalize, which the miss names, and what was forgiven is told", async ({
  root,
  ops,
}) => {
  const path = join(root, "a.ts");
  writeFileSync(path, "if (a) {\r\n\treturn 1;\r\n}\r\n");
  const args = { path, old_text: "if (a) {\n    return 1;\n}", new_text: "if (b) {\n    return 2;\n}" };
  const miss = await failureOf(ops.call("linux.fs_patch_block", args));
  expect(miss.code).toBe("PATCH_COUNT_MISMATCH");
  expect(miss.hint).toContain("normalize");
  const { edits } = await ops.call("linux.fs_patch_block", { ...args, normalize: true });
  expect(edits?.[0]?.normalized?.length).toBeGreaterThan(0);
  expect(readFileSync(path, "utf8")).toBe("if (b) {\r\n\treturn 2;\r\n}\r\n");
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

test("the text is one header line and the place before and after", async ({ root }) => {
  writeFileSync(join(root, "a"), "one\ntwo\nthree\n");
  const text = await textOf(root, "linux.fs_patch_block", { path: "a", old_text: "two", new_text: "2" });
  expect(text).toMatch(
    /^\[\/.*\/a · 1 replacement, line 2 · no undo: .*\]\n--- before\none\ntwo\nthree\n.*\+\+\+ after\none\n2\nthree/s,
  );
});

test("the header names the lines of all edits, in the order of the file", async ({ root }) => {
  writeFileSync(join(root, "a"), "one\ntwo\nthree\ntwo\n");
  const edits = [
    { old_text: "three", new_text: "3" },
    { old_text: "two", new_text: "2", expected_replacements: 2 },
  ];
  const text = await textOf(root, "linux.fs_patch_block", { path: "a", edits });
  expect(text).toMatch(/^\[\/.*\/a · 3 replacements, lines 2, 3, 4 · /);
});
