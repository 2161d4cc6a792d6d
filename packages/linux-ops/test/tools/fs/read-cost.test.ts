import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect } from "vitest";
import { numbered, test, textOf } from "../../helpers.js";

const name = "linux.fs_read";
const LIMIT = 6500;

const hex = Array.from({ length: 1000 }, (_, index) => createHash("sha512").update(String(index)).digest("hex")).join(
  "\n",
);
const DEAR = {
  hex,
  base64: Buffer.from(hex, "hex")
    .toString("base64")
    .replaceAll(/(.{76})/g, "$1\n"),
  numbers: Array.from({ length: 1000 }, (_, index) => [index, index * 37, index * 99_991, index / 7].join(",")).join(
    "\n",
  ),
  japanese: `${"日本語のテキストです。".repeat(8)}\n`.repeat(300),
};

test.for(Object.entries(DEAR))("a default answer of %s stays near 6,000 tokens", async ([, text], { root }) => {
  await writeFile(join(root, "dear"), text);
  expect(countTokens(await textOf(root, name, { path: "dear" }))).toBeLessThan(LIMIT);
});

test("what the caller asks for himself is given", async ({ root, ops }) => {
  await writeFile(join(root, "hex"), hex);
  expect((await ops.call(name, { path: "hex", max_lines: 1000 })).meta.truncated).toBe(false);
});

test.for([{}, { encoding: "base64" }] as const)(
  "fifty files with %j share one answer's budget",
  async (args, { root }) => {
    await writeFile(join(root, "hex"), hex);
    const paths = Array.from({ length: 50 }, () => "hex");
    expect(countTokens(await textOf(root, name, { paths, ...args }))).toBeLessThan(2 * LIMIT);
  },
);

test("fifty paths of 16,000 characters are not repeated at full length", async ({ root }) => {
  const paths = Array.from({ length: 50 }, (_, index) => `${"x/".repeat(8000)}${index}`);
  expect((await textOf(root, name, { paths })).length).toBeLessThan(60_000);
});

test("lines named in the path are given, also with the listed default of max_lines, and never more", async ({
  root,
  ops,
}) => {
  await writeFile(join(root, "a"), numbered(1000));
  expect((await ops.call(name, { path: "a#L10-L12", max_lines: 200 })).content).toBe("10\n11\n12\n");
  expect((await ops.call(name, { path: "a#L10-L12", max_lines: 2 })).content).toBe("10\n11\n");
});

test.for([
  ["a#L10", { offset_lines: 5 }],
  ["a#L10", { tail_lines: 5 }],
  ["a#L10", { encoding: "base64" }],
  ["a#L0", {}],
  ["a#L9-L3", {}],
] as const)("%s with %j is refused", async ([path, args], { root, ops }) => {
  await writeFile(join(root, "a"), numbered(20));
  await expect(ops.call(name, { path, ...args })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

test("the largest offset is an empty slice, not a fault", async ({ root, ops }) => {
  await writeFile(join(root, "a"), numbered(20));
  expect(await ops.call(name, { path: "a", offset_lines: Number.MAX_SAFE_INTEGER })).toMatchObject({
    content: "",
    meta: { total_lines: 20, returned_lines: 0, truncated: false },
  });
});

test("text in windows-1252 is shown as it is, and its encoding is told", async ({ root, ops }) => {
  await writeFile(join(root, "latin1"), Buffer.from("caf\xe9 na\xefve\n5 \x80\n", "latin1"));
  const { content, meta } = await ops.call(name, { path: "latin1" });
  expect([content, meta.encoding, meta.total_lines, meta.replaced_chars]).toEqual([
    "café naïve\n5 €\n",
    "windows-1252",
    2,
    undefined,
  ]);
  expect(await textOf(root, name, { path: "latin1" })).toBe(`[latin1 · 2 lines · windows-1252]\ncafé naïve\n5 €\n`);
});

test("bytes that no encoding explains are counted", async ({ root, ops }) => {
  await writeFile(join(root, "broken"), Buffer.from("a\xff\x81b\x8d\n", "latin1"));
  await writeFile(join(root, "one"), Buffer.from("a\xff\n", "latin1"));
  expect((await ops.call(name, { path: "broken" })).meta.replaced_chars).toBe(3);
  expect(await textOf(root, name, { path: "broken" })).toContain("· 3 bytes are not valid UTF-8 (shown as �)]");
  expect(await textOf(root, name, { path: "one" })).toContain("· 1 byte is not valid UTF-8 (shown as �)]");
});

test("a file of one long line says how much of it is shown", async ({ root }) => {
  await writeFile(join(root, "min.js"), "x".repeat(637_847));
  expect(await textOf(root, name, { path: "min.js" })).toMatch(
    /^\[min\.js · 1 line, shown: 2,000 of its 637,847 characters · [^\]]*\]\nx{2000}…\[\+635847 chars\]$/,
  );
});

test.for([
  ["app.log", 300_000, "[app.log has 200,008 lines; offset_lines 300000 is past the end]\n"],
  ["app.log", 200_008, "[app.log has 200,008 lines; offset_lines 200008 is past the end]\n"],
  ["app.log#L300001", 0, "[app.log has 200,008 lines; offset_lines 300000 is past the end]\n"],
  ["one", 5, "[one has 1 line; offset_lines 5 is past the end]\n"],
  ["empty", 1, "[empty has 0 lines; offset_lines 1 is past the end]\n"],
] as const)("%s from line %i on is past the end", async ([path, offset_lines, said], { root }) => {
  await writeFile(join(root, "app.log"), "x\n".repeat(200_008));
  await writeFile(join(root, "one"), "x\n");
  await writeFile(join(root, "empty"), "");
  expect(await textOf(root, name, { path, offset_lines })).toBe(said);
});

test("an empty file is not past its end, nor is the last line of one", async ({ root }) => {
  await writeFile(join(root, "empty"), "");
  await writeFile(join(root, "two"), "a\nb\n");
  expect(await textOf(root, name, { path: "empty" })).toBe(`[empty · 0 lines]\n`);
  expect(await textOf(root, name, { path: "two", offset_lines: 1 })).toBe(`[two · line 2 of 2 lines]\nb\n`);
});

test("an escape code in a name does not reach a terminal through the header", async ({ root }) => {
  const path = join(root, "a\u001b[31mb\u202e");
  await writeFile(path, "x\n");
  expect((await textOf(root, name, { path })).split("\n")[0]).toBe(`[${root}/a\\u001b[31mb\\u202e · 1 line]`);
});
