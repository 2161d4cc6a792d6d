import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { estimateTokens } from "@llmc/toolkit";
import type { LinuxOps } from "../../../src/index.js";
import { opsWith, test, textOf } from "../../helpers.js";

const TIME = new Date("2026-01-02T03:04:05.500Z");

function plant(root: string, paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(join(root, path, path.endsWith("/") ? "" : ".."), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(join(root, path), "x".repeat(path.length));
  }
}

function many(folder: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${folder}f${String(index).padStart(5, "0")}`);
}

interface Slice {
  readonly data: string;
  readonly next_offset: number | null;
}

async function readOn(ops: LinuxOps, handle: string | null, offset: number): Promise<Slice> {
  return ops.call("linux.handle_read", { handle: handle ?? "", offset, limit: 1_048_576 });
}

async function handleOf(ops: LinuxOps, handle: string | null): Promise<{ path: string }[]> {
  let data = "";
  for (let offset: number | null = 0; offset !== null;) {
    const { data: more, next_offset } = await readOn(ops, handle, offset);
    data += more;
    offset = next_offset;
  }
  return JSON.parse(data) as { path: string }[];
}

test("returns entries with absolute path, type, size and time", async ({ root, ops }) => {
  plant(root, ["src/a.ts", "empty/"]);
  symlinkSync("src", join(root, "link"));
  for (const path of ["src/a.ts", "src", "empty"]) utimesSync(join(root, path), TIME, TIME);
  const mtime_iso = TIME.toISOString();

  expect(await ops.call("linux.fs_list", { path: root })).toEqual({
    entries: [
      { path: join(root, "empty"), type: "dir", mtime_iso },
      { path: join(root, "src"), type: "dir", mtime_iso },
      { path: join(root, "link"), type: "symlink", target: "src", mtime_iso: expect.stringMatching(/^20\d\d-/) },
      { path: join(root, "src/a.ts"), type: "file", size_bytes: 8, mtime_iso },
    ],
    truncated: false,
    handle: null,
    path: root,
    total_entries: 4,
  });
});

test("the text is a header and a tree", async ({ root }) => {
  plant(root, ["src/deep/a.ts", "src/b.ts", "README.md", ".env"]);
  symlinkSync("src", join(root, "link"));
  expect(await textOf(root, "linux.fs_list", { path: "." })).toBe(
    `[. · 6 entries (depth 2; 1 hidden)]
src/
  deep/
    a.ts
  b.ts
README.md
link -> src`,
  );
});

test("what a glob matched stands below its folder, even where that does not match", async ({ root }) => {
  plant(root, ["src/deep/a.ts", "src/b.ts", "c.ts", "README.md"]);
  expect(await textOf(root, "linux.fs_list", { path: root, file_glob: "*.ts" })).toBe(
    `[${root} · 3 entries (depth 2)]
c.ts
src/
  b.ts
src/deep/
  a.ts`,
  );
});

test("an empty folder, and the root /, have a text, too", async ({ root }) => {
  expect(await textOf(root, "linux.fs_list", { path: root })).toBe(`[${root} · 0 entries (depth 2)]`);
  const text = await textOf("/", "linux.fs_list", { path: "/", depth: 0, file_glob: "proc" });
  expect(text).toBe("[/ · 1 entry (depth 0)]\nproc/ (always closed)");
});

test("the text folds big folders; the payload has as many entries as asked for, and the handle all (R8)", async ({
  root,
  ops,
}) => {
  plant(root, ["a.ts", "src/b.ts", ...many("node_modules/pkg/", 1200), ...many("data/", 900)]);
  const text = await textOf(root, "linux.fs_list", { path: root });
  expect(text).toBe(
    `[${root} · 5 of 2,106 entries (depth 2). List a folder marked "— N" to see inside.]
data/ — 900 entries
node_modules/ — 1,201 entries
src/
  b.ts
a.ts`,
  );
  const { entries, truncated, handle, total_entries } = await ops.call("linux.fs_list", { path: root });
  expect([entries.length, truncated, total_entries]).toEqual([500, true, 2106]);
  expect(entries.slice(0, 5)).toMatchObject([
    { path: join(root, "data"), type: "dir", folded_entries: 900 - 495 },
    { path: join(root, "node_modules"), type: "dir", folded_entries: 1201 },
    { path: join(root, "src") },
    { path: join(root, "a.ts") },
    { path: join(root, "data/f00000") },
  ]);
  expect(entries.at(-1)?.path).toBe(join(root, "src/b.ts"));
  const all = await handleOf(ops, handle);
  expect(all.length).toBe(2106);
  expect(all.at(-1)).toEqual({
    path: join(root, "node_modules/pkg/f01199"),
    type: "file",
    size_bytes: 23,
    mtime_iso: expect.any(String),
  });
});

test("folders of up to 30 entries are open, deeper ones too; more are shown when many are asked for", async ({
  root,
}) => {
  plant(root, [...many("few/", 30), ...many("many/", 31), ...many("few2/deep/", 31)]);
  const text = await textOf(root, "linux.fs_list", { path: root });
  expect(text).toMatch(/^\[.* · 34 of 96 entries \(depth 2\)\. List a folder marked "— N" to see inside\.\]\n/);
  expect(text).toMatch(/\nfew\/\n {2}f00000\n[^]*\nfew2\/\n {2}deep\/ — 31 entries\nmany\/ — 31 entries$/);
  const wide = await textOf(root, "linux.fs_list", { path: root, max_entries: 501 });
  expect([wide.split("\n").length, wide.split("\n")[0]]).toEqual([97, `[${root} · 96 entries (depth 2)]`]);
});

test("sizes are told of large and of empty files, and of all on request", async ({ root }) => {
  plant(root, ["small", "empty", "large"]);
  writeFileSync(join(root, "empty"), "");
  writeFileSync(join(root, "large"), "x".repeat(64 * 1024));
  const text = (args: object): Promise<string> => textOf(root, "linux.fs_list", { path: root, ...args });
  expect(await text({})).toBe(`[${root} · 3 entries (depth 2)]\nempty 0B\nlarge 64K\nsmall`);
  expect(await text({ sizes: true })).toMatch(/\nsmall 5B$/);
});

test("sort size tells what takes the room on the disk, as du has it", async ({ root, ops }) => {
  plant(root, [".cache/deep/er/a", "src/b", "c"]);
  writeFileSync(join(root, ".cache/deep/er/a"), "x".repeat(3_000_000));
  writeFileSync(join(root, "src/b"), "x".repeat(200_000));
  const du = (path: string): number =>
    Number(execFileSync("du", ["-sx", "--block-size=1", join(root, path)], { encoding: "utf8" }).split("\t")[0]);
  const answer = await ops.call("linux.fs_list", { path: root, sort: "size", depth: 1, max_entries: 3 });
  expect(answer).toMatchObject({ disk_bytes: du(""), counted_entries: 7, total_entries: 5, truncated: true });
  expect(answer.entries.map(({ path, disk_bytes }) => [path.slice(root.length + 1), disk_bytes])).toEqual([
    [".cache", du(".cache")],
    [".cache/deep", du(".cache/deep")],
    ["src", du("src")],
  ]);
  const text = await textOf(root, "linux.fs_list", { path: root, sort: "size", depth: 0 });
  expect(text).toMatch(/^\[\S+ · 3\.\dM on disk in 7 entries\]\n2\.9M \.cache\/\n\d+K src\/\n4\.0K c$/);
  await expect(ops.call("linux.fs_list", { path: root, sort: "size", file_glob: "*.ts" })).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
  });
});

test("of a flat folder the first max_entries are shown, and the text stays within its budget by default", async ({
  root,
  ops,
}) => {
  plant(root, many("", 3000));
  const some = await ops.call("linux.fs_list", { path: root, max_entries: 7 });
  expect([some.entries.length, some.truncated, some.total_entries]).toEqual([7, true, 3000]);
  expect((await handleOf(ops, some.handle)).map(({ path }) => path)).toEqual(many(`${root}/`, 3000));
  const text = await textOf(root, "linux.fs_list", { path: root });
  expect([estimateTokens(text) < 5200, text.split("\n").length > 300]).toEqual([true, true]);
  const asked = await ops.call("linux.fs_list", { path: root, max_entries: 2500 });
  expect([asked.entries.length, asked.truncated]).toEqual([2500, true]);
});

test("max_entries that are enough give all and no handle", async ({ root, ops }) => {
  plant(root, many("d/", 600));
  const { entries, truncated, handle } = await ops.call("linux.fs_list", { path: root, max_entries: 601 });
  expect([entries.length, truncated, handle]).toEqual([601, false, null]);
});

test("a list too big for a handle says so, and how many there are", async ({ root }) => {
  plant(root, many("", 400));
  const mcp = { handles: { max_payload_bytes: 20_000 } };
  const ops = opsWith(root, mcp);
  const { entries, truncated, handle, total_entries } = await ops.call("linux.fs_list", { path: root, max_entries: 5 });
  expect([entries.length, truncated, handle, total_entries]).toEqual([5, true, null, 400]);
  await ops.close();
  const text = await textOf(root, "linux.fs_list", { path: root, max_entries: 5 }, mcp);
  expect(text.split("\n")[0]).toBe(`[${root} · 5 of 400 entries (depth 2). More: file_glob, max_entries.]`);
});

test(".gitignore is respected when that is asked for", async ({ root, ops }) => {
  plant(root, ["dist/a.js", "src/b.ts"]);
  writeFileSync(join(root, ".gitignore"), "dist/\n");
  const { entries, ignored } = await ops.call("linux.fs_list", { path: root, respect_gitignore: true });
  expect([entries.map(({ path }) => path), ignored]).toEqual([[join(root, "src"), join(root, "src/b.ts")], 1]);
});

test.for([
  [{ path: "f" }, "NOT_A_DIRECTORY"],
  [{ path: "none" }, "NOT_FOUND"],
  [{ path: "/etc" }, "INVALID_PATH"],
  [{ path: ".", file_glob: "[" }, "INVALID_ARGUMENT"],
  [{ path: ".", file_glob: "../*" }, "INVALID_ARGUMENT"],
  [{ path: ".", depth: 11 }, "INVALID_ARGUMENT"],
  [{ path: ".", max_entries: 0 }, "INVALID_ARGUMENT"],
] as const)("%j is %s", async ([args, code], { root, ops }) => {
  plant(root, ["f"]);
  await expect(ops.call("linux.fs_list", args)).rejects.toMatchObject({ code });
});

test("file_glob null is no glob", async ({ root, ops }) => {
  plant(root, ["a"]);
  expect((await ops.call("linux.fs_list", { path: root, file_glob: null })).total_entries).toBe(1);
});
