import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect } from "vitest";
import { createLinuxOps, type LinuxToolResult } from "../../../src/index.js";
import { textOrBase64 } from "../../../src/tools/handle/whole-characters.js";
import { numbered, test, textOf } from "../../helpers.js";

const name = "linux.handle_read";

async function handleOf(ops: ReturnType<typeof createLinuxOps>, root: string, text: string | Buffer): Promise<string> {
  await writeFile(join(root, "file"), text);
  const { handle } = await ops.call("linux.fs_read", { path: join(root, "file"), max_lines: 1 });
  if (handle === null) throw new Error("the file was too short for a handle");
  return handle;
}

test("a slice carries its place, the total and where to go on", async ({ root, ops }) => {
  const handle = await handleOf(ops, root, numbered(300));
  expect(await ops.call(name, { handle, offset: 2, limit: 4 })).toEqual({
    data: "2\n3\n",
    encoding: "utf8",
    offset: 2,
    bytes: 4,
    next_offset: 6,
    total_bytes: 1092,
    type: "file_content",
    meta: { kind: "file_content", path: join(root, "file") },
  });
});

test("next_offset followed to null gives the payload byte for byte, whatever the limit", async ({ root, ops }) => {
  const text = "a\n€uro 😀 日本語\n".repeat(20);
  const handle = await handleOf(ops, root, text);
  for (const limit of [1, 2, 3, 5, 16, 1000]) {
    const parts: Buffer[] = [];
    for (let offset: number | null = 0; offset !== null;) {
      const slice: LinuxToolResult<typeof name> = await ops.call(name, { handle, offset, limit });
      parts.push(Buffer.from(slice.data, slice.encoding));
      expect(slice.encoding).toBe("utf8");
      offset = slice.next_offset;
    }
    expect(Buffer.concat(parts).toString()).toBe(text);
  }
});

test("any bytes cut at any limit are text of whole characters, or exactly those bytes in base64", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 45 }), (source, limit) => {
      const buffer = Buffer.from(source).subarray(0, limit + 3);
      const slice = textOrBase64(buffer, limit);
      expect(Buffer.from(slice.data, slice.encoding).equals(buffer.subarray(0, slice.bytes))).toBe(true);
      expect(slice.bytes > 0 || buffer.length === 0).toBe(true);
      expect(slice.bytes).toBeLessThanOrEqual(limit + 3);
    }),
  );
});

test("an offset at or beyond the end is an empty slice with nothing to follow", async ({ root, ops }) => {
  const handle = await handleOf(ops, root, numbered(3));
  expect(await ops.call(name, { handle, offset: 99 })).toMatchObject({ data: "", bytes: 0, next_offset: null });
});

test("a handle of another session, an invented one and a malformed one get the same answer", async ({ root, ops }) => {
  const handle = await handleOf(ops, root, numbered(300));
  const invented = handle.replace(/.{20}$/, "a".repeat(20));
  for (const [asked, session] of [
    [handle, "somebody-else"],
    [invented, undefined],
    ["'; drop table handles; --", undefined],
  ] as const) {
    const call = ops.call(name, { handle: asked }, session === undefined ? {} : { session });
    await expect(call).rejects.toMatchObject({
      code: "HANDLE_NOT_FOUND",
      message: expect.stringMatching(/^There is no handle /),
    });
  }
});

test("with a data dir a handle survives a restart of the same session", async ({ root }) => {
  const options = { roots: [root], dataDir: join(root, ".state") };
  const first = createLinuxOps(options);
  await writeFile(join(root, "file"), numbered(300));
  const { handle } = await first.call("linux.fs_read", { path: join(root, "file") }, { session: "mine" });
  await first.close();
  const second = createLinuxOps(options);
  expect((await second.call(name, { handle: handle ?? "" }, { session: "mine" })).total_bytes).toBe(1092);
  await second.close();
});

test("a handle on what the roots no longer hold does not exist", async ({ root }) => {
  const options = { dataDir: join(root, "state") };
  const wide = createLinuxOps({ ...options, roots: [root] });
  await mkdir(join(root, "inner"));
  await writeFile(join(root, "file"), numbered(300));
  const { handle } = await wide.call("linux.fs_read", { path: join(root, "file") }, { session: "mine" });
  await wide.close();
  const narrow = createLinuxOps({ ...options, roots: [join(root, "inner")] });
  await expect(narrow.call(name, { handle: handle ?? "" }, { session: "mine" })).rejects.toMatchObject({
    code: "HANDLE_NOT_FOUND",
  });
  await narrow.close();
});

test("a handle may be given as the resource that it is", async ({ root, ops }) => {
  const handle = await handleOf(ops, root, numbered(300));
  expect((await ops.call(name, { handle: `linuxops://handle/${handle}`, limit: 2 })).data).toBe("1\n");
});

test("without a limit a slice costs about what an answer may; with one it is as long as that", async ({
  root,
  ops,
}) => {
  const hex = Array.from({ length: 600 }, (_, index) => createHash("sha256").update(String(index)).digest("hex")).join(
    "\n",
  );
  const handle = await handleOf(ops, root, hex);
  const { data, bytes, next_offset } = await ops.call(name, { handle });
  expect(countTokens(data)).toBeLessThan(6500);
  expect(next_offset).toBe(bytes);
  expect((await ops.call(name, { handle, limit: 16_384 })).bytes).toBe(16_384);
});

test("the text form has one header line", async ({ root }) => {
  await expect(textOf(root, name, { handle: "H_x" })).rejects.toMatchObject({ code: "HANDLE_NOT_FOUND" });
});
