import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { kept, opsWith, test, textOf } from "../../helpers.js";

const sha = (text: string) => createHash("sha256").update(text).digest("hex");
const undo = null;
const undo_reason = expect.any(String);

test("writes a new file, rewrites it and appends to it, and tells bytes and the sum of the whole", async ({
  root,
  ops,
}) => {
  const path = join(root, "a.txt");
  const write = (content: string, mode?: "append") =>
    ops.call("linux.fs_write", { path, content, ...(mode === undefined ? {} : { mode }) });
  expect(await write("žluť\n")).toEqual({
    bytes_written: 7,
    new_sha256: sha("žluť\n"),
    created: true,
    undo,
    undo_reason,
  });
  expect(await write("one\r\n")).toEqual({
    bytes_written: 5,
    new_sha256: sha("one\r\n"),
    undo,
    undo_reason,
    note: "line ends changed: LF to CRLF",
  });
  expect(await write("two", "append")).toEqual({ bytes_written: 3, new_sha256: sha("one\r\ntwo"), undo, undo_reason });
  expect(readFileSync(path, "utf8")).toBe("one\r\ntwo");
});

test("a byte order mark and an empty content are written as given", async ({ root, ops }) => {
  const path = join(root, "bom");
  await ops.call("linux.fs_write", { path, content: "\ufeffx" });
  expect(readFileSync(path)).toEqual(Buffer.from([0xef, 0xbb, 0xbf, 0x78]));
  await ops.call("linux.fs_write", { path, content: "" });
  expect(statSync(path).size).toBe(0);
});

test("a precondition that fails says what the file has, and the hint's sum lets the next try through", async ({
  root,
  ops,
}) => {
  const path = join(root, "a");
  writeFileSync(path, "theirs");
  const failed = await ops
    .call("linux.fs_write", { path, content: "mine", expected_sha256: sha("older") })
    .catch((thrown: unknown) => thrown as { code: string; hint: string });
  expect(failed).toMatchObject({ code: "SHA_MISMATCH" });
  const [, expected_sha256] = /expected_sha256: "([0-9a-f]{64})"/.exec((failed as { hint: string }).hint) ?? [];
  await ops.call("linux.fs_write", { path, content: "mine", expected_sha256: expected_sha256 ?? null });
  expect(readFileSync(path, "utf8")).toBe("mine");
});

test("missing folders are made with the file, unless they are not to be", async ({ root, ops }) => {
  const path = join(root, "x/y/z");
  await expect(ops.call("linux.fs_write", { path, content: "1", create_parents: false })).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: `${root}/x/y does not exist`,
    hint: expect.stringContaining("Leave out create_parents: false"),
  });
  expect(existsSync(join(root, "x"))).toBe(false);
  expect(await ops.call("linux.fs_write", { path, content: "1" })).toMatchObject({
    created: true,
    folders: [join(root, "x"), join(root, "x/y")],
  });
});

kept("one undo takes back a file and the folders that were made for it, and no others", async ({ root, ops }) => {
  mkdirSync(join(root, "x"));
  await ops.call("linux.fs_write", { path: "x/y/z/f", content: "1" });
  await ops.call("linux.fs_undo", {});
  expect(readdirSync(root, { recursive: true })).toEqual(["x"]);
});

test("a rewrite says which line ends and which encoding it has changed", async ({ root, ops }) => {
  const path = join(root, "f");
  writeFileSync(path, Buffer.from("caf\xe9\r\n", "latin1"));
  const write = (content: string) => ops.call("linux.fs_write", { path, content });
  expect(await write("café\n")).toMatchObject({
    note: "encoding changed: windows-1252 to UTF-8; line ends changed: CRLF to LF",
  });
  expect(await write("tea\n")).not.toHaveProperty("note");
});

test("text is added to a file in windows-1252 in its encoding, or refused", async ({ root, ops }) => {
  const path = join(root, "f");
  writeFileSync(path, Buffer.from("caf\xe9\n", "latin1"));
  const append = (content: string) => ops.call("linux.fs_write", { path, content, mode: "append" });
  expect(await append("5 €\n")).toMatchObject({ bytes_written: 4, note: "windows-1252, kept" });
  await expect(append("→\n")).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: 'f is windows-1252 text, which has no "→"',
  });
  expect(readFileSync(path, "latin1")).toBe("caf\xe9\n5 \x80\n");
});

test("what is not as usual is told: other hard links, somebody else's change", async ({ root, ops }) => {
  writeFileSync(join(root, "a"), "old");
  linkSync(join(root, "a"), join(root, "b"));
  expect(await ops.call("linux.fs_write", { path: "a", content: "new" })).toMatchObject({ link_broken: true });
  expect(readFileSync(join(root, "b"), "utf8")).toBe("old");
});

test("half a character is refused before anything is touched", async ({ root, ops }) => {
  await expect(ops.call("linux.fs_write", { path: "a", content: "x\ud800" })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
  expect(existsSync(join(root, "a"))).toBe(false);
});

test("a rewrite of what somebody else changed since the read is refused, and goes ahead with its sum", async ({
  root,
  ops,
}) => {
  const path = join(root, "a");
  writeFileSync(path, "one");
  await ops.call("linux.fs_read", { path });
  writeFileSync(path, "theirs");
  await expect(ops.call("linux.fs_write", { path, content: "mine" })).rejects.toMatchObject({
    code: "STALE_FILE",
    hint: "Read it again, then try once more.",
  });
  expect(readFileSync(path, "utf8")).toBe("theirs");
  const expected_sha256 = createHash("sha256").update("theirs").digest("hex");
  expect(expected_sha256).toBe(sha("theirs"));
  await ops.call("linux.fs_write", { path, content: "mine", expected_sha256: expected_sha256 ?? "" });
  expect(readFileSync(path, "utf8")).toBe("mine");
  // Its own write is no surprise to the session, nor is another session's to one that never read the file.
  await ops.call("linux.fs_write", { path, content: "mine again" });
  await ops.call("linux.fs_write", { path, content: "someone's" }, { session: "other" });
  await expect(ops.call("linux.fs_write", { path, content: "x" })).rejects.toMatchObject({ code: "STALE_FILE" });
  expect(await ops.call("linux.fs_write", { path, content: "+", mode: "append" })).toMatchObject({
    note: expect.stringContaining("Another program changed"),
  });
  expect(readFileSync(path, "utf8")).toBe("someone's+");
});

test.for([
  ["warn", { note: expect.stringContaining("Another program changed") }],
  ["off", {}],
] as const)("stale_guard = %s lets a rewrite through", async ([stale_guard, told], { root }) => {
  const ops = opsWith(root, { linux_ops: { fs: { stale_guard } } });
  const path = join(root, "a");
  writeFileSync(path, "one");
  await ops.call("linux.fs_read", { path });
  writeFileSync(path, "theirs");
  const { note, ...result } = (await ops.call("linux.fs_write", { path, content: "mine" })) as { note?: string };
  expect({ ...result, ...(note === undefined ? {} : { note }) }).toEqual({
    bytes_written: 4,
    new_sha256: sha("mine"),
    undo,
    undo_reason,
    ...told,
  });
  await ops.close();
});

test("allow_exec_config opens what others execute, which is shut by default", async ({ root, ops }) => {
  const args = { path: ".git/hooks/pre-commit", content: "#!/bin/sh\n", create_parents: true };
  await expect(ops.call("linux.fs_write", args)).rejects.toMatchObject({
    code: "PERMISSION_DENIED",
    hint: expect.stringContaining("roots.allow_exec_config"),
  });
  const open = opsWith(root, { linux_ops: { roots: { allow_exec_config: true } } });
  expect(await open.call("linux.fs_write", args)).toMatchObject({ created: true });
  await open.close();
});

test("the text is one short line", async ({ root }) => {
  chmodSync(root, 0o755);
  const write = async (args: Record<string, unknown>) =>
    (await textOf(root, "linux.fs_write", args)).replace(/no undo: [^\]]*/, "no undo");
  expect(await write({ path: "a.ts", content: "x".repeat(2300) })).toBe("[a.ts · new · 2.2K · no undo]");
  expect(await write({ path: "a.ts", content: "x\r\n" })).toBe("[a.ts · rewritten · 3B · no undo]");
  expect(await write({ path: "a.ts", content: "y\n" })).toBe(
    "[a.ts · rewritten · 2B · line ends changed: CRLF to LF · no undo]",
  );
  expect(await write({ path: "a.ts", content: "zz", mode: "append" })).toBe("[a.ts · 2B appended · no undo]");
  expect(await write({ path: "b/c/d", content: "" })).toBe("[b/c/d · new · 0B · new folder b/ · no undo]");
});

test.for(["utf-16le", "utf-16be"] as const)(
  "what is added to a %s file is written as that",
  async (encoding, { root, ops }) => {
    const path = join(root, "u16");
    const bytes = (text: string) => {
      const pairs = Buffer.from(text, "utf16le");
      return encoding === "utf-16be" ? pairs.swap16() : pairs;
    };
    writeFileSync(path, bytes("\ufeffa\n"));
    expect(await ops.call("linux.fs_write", { path, content: "ž\n", mode: "append" })).toMatchObject({
      bytes_written: 4,
      note: `${encoding}, kept`,
    });
    expect(readFileSync(path)).toEqual(bytes("\ufeffa\nž\n"));
  },
);

test("what is added to a line that has no newline goes on in it, and says so", async ({ root, ops }) => {
  const path = join(root, "f");
  writeFileSync(path, "last line");
  const append = (content: string) => ops.call("linux.fs_write", { path, content, mode: "append" });
  expect(await append("next\n")).toMatchObject({ note: expect.stringContaining("had no newline") });
  expect(await append("more\n")).not.toHaveProperty("note");
  expect(readFileSync(path, "utf8")).toBe("last linenext\nmore\n");
});
