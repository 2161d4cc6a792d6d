import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { numbered, test, textOf } from "../../helpers.js";

test("answers the text and how many bytes it is", async ({ root, ops }) => {
  writeFileSync(join(root, "f"), "naïve\n");
  expect(await ops.call("read_file", { path: "f" })).toEqual({
    data: "naïve\n",
    meta: { path: join(root, "f"), length: 7 },
  });
});

test("a long file is cut at a line, and the whole of it is behind a handle", async ({ root, ops }) => {
  writeFileSync(join(root, "f"), numbered(20_000));
  const { data, meta } = await ops.call("read_file", { path: "f" });
  expect(numbered(20_000).startsWith(data)).toBe(true);
  expect([data.endsWith("\n"), data.length > 3000]).toEqual([true, true]);
  expect(meta).toEqual({
    path: join(root, "f"),
    length: data.length,
    truncated: true,
    total_lines: 20_000,
    handle: expect.stringMatching(/^H_file_content_/),
  });
  const all = await ops.call("linux.handle_read", { handle: meta.handle ?? "", limit: 1_048_576 });
  expect(all.data).toBe(numbered(20_000));
});

test("max_bytes is honoured, above the default and below", async ({ root, ops }) => {
  writeFileSync(join(root, "f"), numbered(20_000));
  const { data } = await ops.call("read_file", { path: "f", max_bytes: 200_000 });
  expect(data).toBe(numbered(20_000));
  expect((await ops.call("read_file", { path: "f", max_bytes: 9 })).data).toBe(numbered(4));
});

test("as text it is a header and the file", async ({ root }) => {
  writeFileSync(join(root, "f"), "x\ny\n");
  expect(await textOf(root, "read_file", { path: "f" })).toBe(`[${join(root, "f")} · 4 bytes]\nx\ny\n`);
  const cut = await textOf(root, "read_file", { path: "f", max_bytes: 2 });
  expect(cut.replace(/h\d{6}/, "H")).toBe(`[${join(root, "f")} · 2 bytes · cut · all: H]\nx\n`);
  writeFileSync(join(root, "big"), `x\n${"y\n".repeat(1000)}`);
  const mcp = { handles: { max_payload_bytes: 1024 } };
  expect(await textOf(root, "read_file", { path: "big", max_bytes: 2 }, mcp)).toBe(
    `[${join(root, "big")} · 2 bytes · cut · more: linux_fs_read]\nx\n`,
  );
});

test("the hint for what is no text leads to what can be done", async ({ root, ops }) => {
  writeFileSync(join(root, "bin"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0]));
  await expect(ops.call("read_file", { path: "bin" })).rejects.toMatchObject({
    code: "UNSUPPORTED_CONTENT",
    hint: expect.stringContaining("linux.fs_read"),
  });
  const { content } = await ops.call("linux.fs_read", { path: "bin", encoding: "base64" });
  expect(content).toBe("f0VMRgAA");
});

test.for([
  [".", "IS_DIRECTORY"],
  ["none", "NOT_FOUND"],
  ["/etc/passwd", "INVALID_PATH"],
] as const)("%s is %s", async ([path, code], { ops }) => {
  await expect(ops.call("read_file", { path })).rejects.toMatchObject({ code });
});
