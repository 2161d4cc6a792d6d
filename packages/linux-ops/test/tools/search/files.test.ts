import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { estimateTokens } from "@llmc/toolkit";
import { expect, onTestFinished, vi } from "vitest";
import { test, textOf } from "../../helpers.js";

function plant(root: string, paths: readonly string[], content = ""): void {
  for (const path of paths) {
    mkdirSync(path.endsWith("/") ? join(root, path) : dirname(join(root, path)), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(join(root, path), content);
  }
}

test("returns what a part of the name finds, the best first", async ({ root, ops }) => {
  plant(root, ["src/user-service.ts", "user.ts", "lib/superuser.ts", "users/readme.md"]);
  symlinkSync("user.ts", join(root, "user-link"));
  expect(await ops.call("linux.search_files", { root, pattern: "user" })).toEqual({
    hits: [
      { path: join(root, "user.ts") },
      { path: join(root, "users"), type: "dir" },
      { path: join(root, "user-link"), type: "symlink" },
      { path: join(root, "src/user-service.ts") },
      { path: join(root, "lib/superuser.ts") },
    ],
    total_hits: 5,
    truncated: false,
    handle: null,
    root,
  });
});

test("the text is a header and a path a line", async ({ root }) => {
  plant(root, ["src/a.test.ts", "src/b.ts", ".env", "docs/"]);
  const text = (args: object): Promise<string> => textOf(root, "linux.search_files", { root, ...args });
  expect(await text({ pattern: "*.ts" })).toBe(`[${root} · 2 found · left out: 1 hidden]\nsrc/a.test.ts\nsrc/b.ts`);
  expect(await text({ pattern: "doc" })).toBe(`[${root} · 1 found · left out: 1 hidden]\ndocs/`);
  expect(await text({ pattern: "\\.test\\.\\w+$", regex: true })).toMatch(/\nsrc\/a\.test\.ts$/);
  expect(await text({ pattern: "env" })).toBe(`[${root} · no match · left out: 1 hidden (include_hidden=true)]`);
  expect(await text({ pattern: "env", include_hidden: true })).toBe(`[${root} · 1 found]\n.env`);
});

test("a pattern is in any case until it has a capital letter", async ({ root, ops }) => {
  plant(root, ["Makefile", "makefile.old"]);
  const found = async (pattern: string): Promise<string[]> =>
    (await ops.call("linux.search_files", { root, pattern })).hits.map(({ path }) => path.slice(root.length + 1));
  expect(await found("makefile")).toEqual(["Makefile", "makefile.old"]);
  expect(await found("Makefile")).toEqual(["Makefile"]);
});

test("type, age and size narrow what is found, and what they asked for is told", async ({ root }) => {
  plant(root, ["old.log", "folder/"]);
  plant(root, ["big.log"], "x".repeat(3000));
  utimesSync(join(root, "old.log"), 1_000_000, 1_000_000);
  const text = (args: object): Promise<string> => textOf(root, "linux.search_files", { root, pattern: "*", ...args });
  expect(await text({ type: "dir" })).toBe(`[${root} · 1 found]\nfolder/`);
  expect(await text({ min_size: "2k" })).toBe(`[${root} · 1 found]\nbig.log 2.9K`);
  expect(await text({ max_size: 10, type: "file" })).toBe(`[${root} · 1 found]\nold.log 0B`);
  expect(await text({ modified_within: "1h", type: "file" })).toMatch(
    / 1 found\]\nbig\.log \d{4}-\d\d-\d\dT\d\d:\d\dZ$/,
  );
});

test("a time that is told can be given back, wherever the server is", async ({ root }) => {
  plant(root, ["a.log", "older.log"]);
  utimesSync(join(root, "a.log"), 1_800_000_000, 1_800_000_000);
  utimesSync(join(root, "older.log"), 1_799_999_000, 1_799_999_000);
  vi.stubEnv("TZ", "Asia/Tokyo");
  onTestFinished(() => void vi.unstubAllEnvs());
  const text = (within: string): Promise<string> =>
    textOf(root, "linux.search_files", { root, pattern: "*.log", modified_within: within });
  const told = / a\.log (\S+)/.exec((await text("2027-01-15")).replaceAll("\n", " "))?.[1] ?? "";
  expect(await text(told)).toBe(`[${root} · 1 found]\na.log 2027-01-15T08:00Z`);
});

test("what is told to find something does, and nothing else is told", async ({ root, ops }) => {
  plant(root, ["a.ts", "b.js", ".ci/c.yml"]);
  const hint = async (pattern: string, args: object = {}): Promise<unknown> =>
    (await ops.call("linux.search_files", { root, pattern, ...args })).hint;
  expect(await hint("*.ts|*.md")).toBe('pattern="{*.ts,*.md}" finds it.');
  expect(await hint("*.ts, *.md")).toBe('pattern="{*.ts,*.md}" finds it.');
  expect(await hint("a", { file_glob: "*.js" })).toBe("The same without file_glob finds it.");
  expect(await hint(".ci/c.yml")).toBe("include_hidden=true finds it.");
  for (const pattern of ["*.md|*.rs", "^z", ".cj"])
    expect([pattern, await hint(pattern)]).toEqual([pattern, undefined]);
  expect(await hint("z", { file_glob: "*.js" })).toBeUndefined();
});

test("a pattern that finds nothing and is a regular expression is searched as one, and that is said", async ({
  root,
}) => {
  plant(root, ["a.ts", "b.js", "c.md"]);
  const text = (pattern: string): Promise<string> => textOf(root, "linux.search_files", { root, pattern });
  expect(await text(".*\\.(ts|js)$")).toBe(`[${root} · 2 found · nothing as a name or glob; as a regex]\na.ts\nb.js`);
  expect(await text("(^")).toBe(`[${root} · no match]`);
});

test("what does not fit is behind a handle", async ({ root, ops }) => {
  plant(
    root,
    Array.from({ length: 600 }, (_, nth) => `some/rather/long/folder/name/file-${nth}.txt`),
  );
  const answer = await ops.call("linux.search_files", { root, pattern: "file" });
  const text = await textOf(root, "linux.search_files", { root, pattern: "file" });
  expect([answer.total_hits, answer.truncated]).toEqual([600, true]);
  expect(estimateTokens(text)).toBeLessThanOrEqual(3000);
  expect(text).toMatch(/^\[.* · \d+ of 600 found · more: file_glob, max_results · all: \S+\]\n/);
  const { data } = await ops.call("linux.handle_read", { handle: answer.handle ?? "", limit: 1_048_576 });
  expect(JSON.parse(data)).toHaveLength(600);
});

test("wrong arguments are refused with what would be right", async ({ root, ops }) => {
  const refusal = async (args: object): Promise<unknown> =>
    ops
      .call("linux.search_files", { root, pattern: "a", ...args })
      .catch((error: { code: string; hint: string }) => [error.code, error.hint]);
  expect(await refusal({ modified_within: "soon" })).toEqual(["INVALID_ARGUMENT", expect.stringContaining('"2d"')]);
  expect(await refusal({ min_size: "much" })).toEqual(["INVALID_ARGUMENT", expect.stringContaining('"10k"')]);
  expect(await refusal({ min_size: "2k", max_size: 10 })).toEqual(["INVALID_ARGUMENT", "Swap them."]);
  expect(await refusal({ min_size: 1, type: "dir" })).toEqual(["INVALID_ARGUMENT", expect.stringContaining("type")]);
  expect(await refusal({ pattern: "(", regex: true })).toEqual(["INVALID_ARGUMENT", expect.any(String)]);
  expect(await refusal({ root: "/etc" })).toEqual(["INVALID_PATH", expect.any(String)]);
  expect(await refusal({ root: join(root, "gone") })).toEqual(["NOT_FOUND", expect.any(String)]);
});
