import {
  chmodSync,
  linkSync,
  lstatSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Files } from "../../src/index.js";
import { failure, freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";

const sha = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");

function write(files: Files, path: string, text: string, more: object = {}) {
  return files.write(path, Buffer.from(text), { owner: "me", session: "s", mode: "rewrite", ...more });
}

const done = { atomic: true, linkBroken: false, wasChanged: false };

test("a file is made, rewritten and added to, and each time its sum is told", async () => {
  const root = freshDir();
  const files = filesIn(root);
  expect(await write(files, "a", "one\n")).toMatchObject({
    path: `${root}/a`,
    bytesWritten: 4,
    sha256: sha("one\n"),
    created: true,
    ...done,
  });
  expect(await write(files, "a", "two\r\n")).toMatchObject({
    bytesWritten: 5,
    sha256: sha("two\r\n"),
    created: false,
    ...done,
  });
  expect(await write(files, "a", "three", { mode: "append" })).toMatchObject({
    bytesWritten: 5,
    sha256: sha("two\r\nthree"),
    created: false,
  });
  expect(await write(files, "a", "", { mode: "append" })).toMatchObject({
    bytesWritten: 0,
    sha256: sha("two\r\nthree"),
  });
  expect(readFileSync(`${root}/a`, "utf8")).toBe("two\r\nthree");
  expect(readdirSync(root)).toEqual(["a"]);
});

test("mode and owner stay as they were, and setuid does not", async () => {
  const root = plant(freshDir(), { script: "#!/bin/sh\n" });
  if (process.getuid?.() === 0) execFileSync("chown", ["65534:65534", `${root}/script`]);
  chmodSync(`${root}/script`, 0o4750);
  const { uid, gid } = statSync(`${root}/script`);
  await write(filesIn(root), "script", "new");
  expect(statSync(`${root}/script`)).toMatchObject({ mode: 0o100750, uid, gid });
});

test("through a link its target is written and the link stays; where the target is missing it is made", async () => {
  const root = plant(freshDir(), { "d/real": "old", link: { to: "d/real" }, dangling: { to: "d/new" } });
  const files = filesIn(root);
  await write(files, "link", "new");
  await write(files, "dangling", "made");
  expect([readlinkSync(`${root}/link`), readFileSync(`${root}/d/real`, "utf8")]).toEqual(["d/real", "new"]);
  expect([readlinkSync(`${root}/dangling`), readFileSync(`${root}/d/new`, "utf8")]).toEqual(["d/new", "made"]);
});

test.for(["rewrite", "append"] as const)("%s of a file with another name leaves that one as it was", async (mode) => {
  const root = plant(freshDir(), { "in/a": "old", "out/keep": null });
  linkSync(`${root}/in/a`, `${root}/out/b`);
  const result = await write(filesIn(`${root}/in`), "a", "new", { mode });
  expect({ linkBroken: result.linkBroken, b: readFileSync(`${root}/out/b`, "utf8") }).toEqual({
    linkBroken: true,
    b: "old",
  });
  expect(readFileSync(`${root}/in/a`, "utf8")).toBe(mode === "append" ? "oldnew" : "new");
});

test("a missing folder is an error that names it and the way, and is made on demand", async () => {
  const root = freshDir();
  const files = filesIn(root);
  expect(await failure(write(files, "x/y/a", "1"))).toEqual({
    code: "NOT_FOUND",
    message: `${root}/x/y does not exist`,
    remedy: { id: "several", of: [`The nearest folder that exists is ${root}.`, { id: "create-parents" }] },
  });
  expect(readdirSync(root)).toEqual([]);
  await write(files, "x/y/a", "1", { createParents: true });
  expect(readFileSync(`${root}/x/y/a`, "utf8")).toBe("1");
});

test("folders that were made for a file are told, and go with it when its writing is refused", async () => {
  const root = freshDir();
  const files = filesIn(root);
  const made = await write(files, "x/y/a", "1", { createParents: true });
  expect(made.folders).toEqual([`${root}/x`, `${root}/x/y`]);
  expect((await write(files, "x/b", "1", { createParents: true })).folders).toEqual([]);
  await expect(write(files, "z/.git/hooks/pre-commit", "1", { createParents: true })).rejects.toMatchObject({
    code: "PERMISSION_DENIED",
  });
  expect(readdirSync(root)).toEqual(["x"]);
});

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

test("text is added in the encoding of the file, and a character that it lacks is refused", async () => {
  const root = plant(freshDir(), { f: latin1("caf\xe9\n"), u: "žluť\n", a: "plain\n", bin: latin1("\xe9\x01\n") });
  const files = filesIn(root);
  const append = (path: string, text: string) => write(files, path, text, { mode: "append" });
  expect(await append("f", "5 € – naïve\n")).toMatchObject({
    bytesWritten: 12,
    end: { encoding: "windows-1252", isOpen: false },
  });
  expect(readFileSync(`${root}/f`)).toEqual(latin1("caf\xe9\n5 \x80 \x96 na\xefve\n"));
  expect(await failure(append("f", "→\n"))).toEqual({
    code: "INVALID_ARGUMENT",
    message: 'f is windows-1252 text, which has no "→"',
    remedy: { id: "other-characters" },
  });
  for (const name of ["u", "a", "bin"]) await append(name, "é→\n");
  expect(readFileSync(`${root}/a`, "utf8")).toBe("plain\né→\n");
  expect(readFileSync(`${root}/u`, "utf8")).toBe("žluť\né→\n");
  expect(readFileSync(`${root}/bin`)).toEqual(Buffer.concat([latin1("\xe9\x01\n"), Buffer.from("é→\n")]));
});

test.for<readonly [string, string | Buffer, string, readonly string[]]>([
  ["CRLF", "a\r\nb\r\n", "a\nb\n", ["line ends changed: CRLF to LF"]],
  ["LF", "a\nb\n", "a\r\n", ["line ends changed: LF to CRLF"]],
  ["the same line ends", "a\r\n", "b\r\n", []],
  ["both line ends", "a\r\nb\n", "b\n", []],
  ["no line end", "a", "b\r\n", []],
  ["windows-1252", latin1("caf\xe9\n"), "café\n", ["encoding changed: windows-1252 to UTF-8"]],
  ["UTF-16", Buffer.from("\ufeffa\r\n", "utf16le"), "a\n", ["encoding changed: utf-16le to UTF-8"]],
  ["data", latin1("\0\r\n"), "a\n", []],
  ["a letter that is cut", Buffer.concat([Buffer.alloc(1024 * 1024 - 1, "a"), Buffer.from("é\n")]), "b\n", []],
])("a rewrite tells its writer about the old text: %s", async ([, old, fresh, reformed]) => {
  const root = plant(freshDir(), { f: old });
  expect((await write(filesIn(root), "f", fresh)).reformed).toEqual(reformed);
  expect(readFileSync(`${root}/f`, "utf8")).toBe(fresh);
});

test("a precondition that does not hold changes nothing and tells the sum; it does not matter for a new file", async () => {
  const root = plant(freshDir(), { a: "old" });
  const files = filesIn(root);
  const error = await files
    .write("a", Buffer.from("new"), { owner: "me", session: "s", mode: "rewrite", expectedSha256: sha("other") })
    .catch((e: unknown) => e);
  expect(error).toMatchObject({ code: "SHA_MISMATCH", details: { sha256: sha("old") } });
  expect(readFileSync(`${root}/a`, "utf8")).toBe("old");
  await write(files, "a", "new", { expectedSha256: sha("old").toUpperCase() });
  await write(files, "b", "new", { expectedSha256: sha("whatever") });
  expect([readFileSync(`${root}/a`, "utf8"), readFileSync(`${root}/b`, "utf8")]).toEqual(["new", "new"]);
});

test.for([
  ["", "IS_DIRECTORY"],
  ["folder", "IS_DIRECTORY"],
  ["folder/", "IS_DIRECTORY"],
  ["new/", "IS_DIRECTORY"],
  ["fifo", "INVALID_PATH"],
  ["file/below", "NOT_A_DIRECTORY"],
  ["out/passwd", "INVALID_PATH"],
  ["leads-out", "INVALID_PATH"],
  ["../x", "INVALID_PATH"],
  [".git/hooks/pre-commit", "PERMISSION_DENIED"],
  [".git/config", "PERMISSION_DENIED"],
  ["folder/.git", "PERMISSION_DENIED"],
  ["new/.vscode/x", "PERMISSION_DENIED"],
  ["sub/.GIT/modules/a/b/hooks/x", "PERMISSION_DENIED"],
  [".vscode/tasks.json", "PERMISSION_DENIED"],
  ["alias/tasks.json", "PERMISSION_DENIED"],
  [".envrc", "PERMISSION_DENIED"],
  ["program/main.js", "PERMISSION_DENIED"],
] as const)("%s is refused with %s, and nothing is touched", async ([path, code]) => {
  const root = plant(freshDir(), {
    file: "x",
    folder: null,
    "program/main.js": "x",
    ".git/modules/a": null,
    "sub/.GIT/modules/a/b/hooks": null,
    ".git/hooks": null,
    ".vscode": null,
    alias: { to: ".vscode" },
    out: { to: "/etc" },
    "leads-out": { to: "/etc/llmc-must-not-be" },
  });
  execFileSync("mkfifo", [`${root}/fifo`]);
  const files = filesIn(root, { program: [`${root}/program`] });
  const before = execFileSync("find", [root, "-printf", "%p %s %T@\\n"], { encoding: "utf8" });
  const target = path === "" ? root : path;
  expect((await failure(write(files, target, "x", { createParents: true }))).code).toBe(code);
  expect(execFileSync("find", [root, "-printf", "%p %s %T@\\n"], { encoding: "utf8" })).toBe(before);
});

test("the operator may open what others execute, but not the program itself", async () => {
  const root = plant(freshDir(), { "program/main.js": "x", ".vscode": null });
  const files = filesIn(root, { program: [`${root}/program`], allowExecConfig: true });
  await write(files, ".vscode/tasks.json", "{}");
  expect((await failure(write(files, "program/main.js", "x"))).code).toBe("PERMISSION_DENIED");
});

test("names with a newline, of 255 bytes and with what looks like a byte are written to the letter", async () => {
  const root = freshDir();
  const files = filesIn(root);
  for (const name of ["a\nb", "n".repeat(255), "caf\\xe9"]) await write(files, name, name);
  const names = readdirSync(root, { encoding: "buffer" }).map((name) => name.toString("latin1"));
  expect(names.toSorted()).toEqual(["a\nb", "n".repeat(255), "caf\\xe9"].toSorted());
  expect((await failure(write(files, "n".repeat(256), ""))).code).toBe("INVALID_PATH");
});

test("folders are made with those that lead to them, and only those that were missing are told", async () => {
  const root = plant(freshDir(), { a: null, file: "x", link: { to: "a" } });
  const files = filesIn(root);
  const make = (path: string, existOk?: boolean) => files.makeFolders(path, { owner: "me", session: "s", existOk });
  expect((await make("a/b/c")).created).toEqual([`${root}/a/b`, `${root}/a/b/c`]);
  expect((await make("a/b/c")).created).toEqual([]);
  expect((await make("link/d/")).created).toEqual([`${root}/link/d`]);
  expect(lstatSync(`${root}/a/d`).isDirectory()).toBe(true);
  expect(await failure(make("a/b", false))).toMatchObject({ code: "ALREADY_EXISTS" });
  expect(await failure(make("file"))).toMatchObject({ code: "NOT_A_DIRECTORY" });
  expect(await failure(make("file/x"))).toMatchObject({ code: "NOT_A_DIRECTORY" });
  expect(await failure(make(".claude/commands"))).toMatchObject({ code: "PERMISSION_DENIED" });
  expect(readdirSync(root).toSorted()).toEqual(["a", "file", "link"]);
});

test("a file does not come to be in a folder that was moved while it was written", async () => {
  const root = plant(freshDir(), { "y/keep": "x" });
  const files = filesIn(root);
  const me = { owner: "me", session: "s" };
  // A first move loads what it takes: that may be longer than the write.
  await files.move("y", "x", me);
  await files.move("x", "y", me);
  // Large enough that the move is done before its bytes are on the disk.
  const writing = failure(files.write("y/config", Buffer.alloc(30_000_000), { ...me, mode: "rewrite" }));
  while (readdirSync(`${root}/y`).length < 2) await new Promise((resolve) => setImmediate(resolve));
  await files.move("y", "z", me);
  expect(await writing).toMatchObject({ code: "WRITE_FAILED", message: expect.stringContaining("moved or removed") });
  expect(readdirSync(`${root}/z`)).toEqual(["keep"]);
});

test("a root that has gone, or has become a link, is told as that and not as a missing folder", async () => {
  const base = plant(freshDir(), { root: null });
  const root = join(base, "root");
  const files = filesIn(root);
  renameSync(root, join(base, "moved"));
  expect(await failure(write(files, "f", "x"))).toEqual({
    code: "NOT_FOUND",
    message: `${root} does not exist`,
    hint: "This root has gone since the server started.",
  });
  symlinkSync("moved", root);
  expect(await failure(write(files, "f", "x"))).toMatchObject({
    code: "NOT_A_DIRECTORY",
    hint: expect.stringContaining("this root"),
  });
  expect(readdirSync(join(base, "moved"))).toEqual([]);
});
