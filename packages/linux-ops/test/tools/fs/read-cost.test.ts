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

test("text that is not UTF-8 says how much of it could not be shown", async ({ root, ops }) => {
  await writeFile(join(root, "latin1"), Buffer.from("caf\xe9 na\xefve\n", "latin1"));
  expect((await ops.call(name, { path: "latin1" })).meta.replaced_chars).toBe(2);
  expect(await textOf(root, name, { path: "latin1" })).toContain("2 bytes are no UTF-8");
});

test("an escape code in a name does not reach a terminal through the header", async ({ root }) => {
  const path = join(root, "a\u001b[31mb\u202e");
  await writeFile(path, "x\n");
  expect((await textOf(root, name, { path })).split("\n")[0]).toBe(`[${root}/a\\u001b[31mb\\u202e · 1 line]`);
});
