import { execFileSync } from "node:child_process";
import { chmodSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { readSlice } from "@llmc/te-fs";
import { expect, test } from "vitest";
import {
  ask,
  failure,
  filesIn,
  found,
  freshDir,
  LONG_ENOUGH,
  namesIn,
  PLAIN,
  plant,
  plantNames,
  WALK,
} from "./tree.js";

test("a part of a name finds it, the best place first, shorter paths before longer ones", async () => {
  const root = plantNames(freshDir(), [
    "deep/down/user",
    "user.ts",
    "deep/user.ts",
    "userland",
    "my-user.ts",
    "currentUser.ts",
    "superuser",
    "user/other.ts",
  ]);
  expect(await found(root, { pattern: "user" })).toEqual([
    "user",
    "deep/down/user",
    "user.ts",
    "deep/user.ts",
    "userland",
    "my-user.ts",
    "currentUser.ts",
    "superuser",
  ]);
});

test("names of the same worth come in the order of their paths", async () => {
  const root = plantNames(freshDir(), ["b/x1", "a/x1", "c/x1", "x2", "x3"]);
  expect(await found(root, { pattern: "x" })).toEqual(["x2", "x3", "a/x1", "b/x1", "c/x1"]);
});

test("case counts where the pattern has upper case, and only there", async () => {
  const root = plantNames(freshDir(), ["README.md", "readme.txt", "Äpfel", "äpfel2"]);
  expect(await found(root, { pattern: "readme" })).toEqual(["README.md", "readme.txt"]);
  expect(await found(root, { pattern: "README" })).toEqual(["README.md"]);
  expect(await found(root, { pattern: "äpfel" })).toEqual(["Äpfel", "äpfel2"]);
  expect(await found(root, { pattern: "Äpfel" })).toEqual(["Äpfel"]);
  expect(await found(root, { pattern: "*.MD" })).toEqual(["README.md"]);
  expect(await found(root, { pattern: "*.md" })).toEqual(["README.md"]);
  expect(await found(root, { pattern: "ä*" })).toEqual(["Äpfel", "äpfel2"]);
});

test("a pattern with a slash is about the path: at the name first, then in the folders above", async () => {
  const root = plantNames(freshDir(), [
    "src/tools/read.ts",
    "src/tools/deep/x.ts",
    "lib/tools",
    "mysrc/toolbox.ts",
    "tools/src/tool",
  ]);
  expect(await found(root, { pattern: "src/tool" })).toEqual([
    "tools/src/tool",
    "src/tools",
    "mysrc/toolbox.ts",
    "src/tools/deep",
    "src/tools/read.ts",
    "src/tools/deep/x.ts",
  ]);
  expect(await found(root, { pattern: "/src/tool" })).toEqual([
    "tools/src/tool",
    "src/tools",
    "src/tools/deep",
    "src/tools/read.ts",
    "src/tools/deep/x.ts",
  ]);
  expect(await found(root, { pattern: "tools/" })).toEqual(["tools", "src/tools"]);
  expect(await found(root, { pattern: "tools/deep/y" })).toEqual([]);
  expect(await found(root, { pattern: `${root}/src/tools/re` })).toEqual(["src/tools/read.ts"]);
});

test("globs: of the name, or of the path from the root on", async () => {
  const root = plantNames(freshDir(), ["a.ts", "src/b.ts", "src/deep/c.ts", "src/b.js"]);
  expect(await found(root, { pattern: "*.ts" })).toEqual(["a.ts", "src/b.ts", "src/deep/c.ts"]);
  expect(await found(root, { pattern: "src/*.ts" })).toEqual(["src/b.ts"]);
  expect(await found(root, { pattern: "src/**/*.ts" })).toEqual(["src/b.ts", "src/deep/c.ts"]);
  expect(await found(root, { pattern: "{a,b}.{ts,js}" })).toEqual(["a.ts", "src/b.js", "src/b.ts"]);
  expect(await found(root, { pattern: "d*/" })).toEqual(["src/deep"]);
});

test("what nothing matches as it is may be found otherwise, and the answer says how", async () => {
  const root = plantNames(freshDir(), [
    "UserService.ts",
    "get_user.py",
    "parse-http-request.go",
    "user/billing/Service.java",
    "pages/[id].tsx",
    "Notes.TXT",
    "caf\u00e9.md",
  ]);
  const names = namesIn(root);
  const by = async (pattern: string): Promise<[string, string[]]> => {
    const answer = await ask(names, root, { pattern });
    return [answer.by, answer.hits.map(({ path }) => path.slice(root.length + 1))];
  };
  expect(await by("user service")).toEqual(["words", ["UserService.ts", "user/billing/Service.java"]]);
  expect(await by("getUser")).toEqual(["words", ["get_user.py"]]);
  expect(await by("getuser")).toEqual(["words", ["get_user.py"]]);
  expect(await by("parseHTTPRequest")).toEqual(["words", ["parse-http-request.go"]]);
  expect(await by("request http")).toEqual(["words", ["parse-http-request.go"]]);
  expect(await by("[id].tsx")).toEqual(["text", ["pages/[id].tsx"]]);
  expect(await by("N*.txt")).toEqual(["case", ["Notes.TXT"]]);
  expect(await by("cafe\u0301")).toEqual(["words", ["caf\u00e9.md"]]);
  expect(await by("user")).toEqual(["pattern", ["user", "UserService.ts", "get_user.py"]]);
  expect(await by("nothing like it")).toEqual(["pattern", []]);
});

test("names are bytes: composed and not, newlines, and what is no UTF-8, each openable as it is told", async () => {
  const root = plant(freshDir(), {
    "n\u00c3\u00a9": "nfc",
    "ne\u00cc\u0081": "nfd",
    "two\nlines": "newline",
    "bad\u00e9\u00ff": "latin",
    "\u00f0\u009f\u0098\u0080face": "emoji",
  });
  const files = filesIn(root);
  const names = namesIn(root, WALK, files);
  const content = async (pattern: string, regex = false): Promise<string[]> => {
    const { hits } = await ask(names, root, { pattern, regex });
    return Promise.all(
      hits.map(async ({ path }) => {
        await using file = await files.open(path);
        return (await readSlice(file, { maxLines: 1, maxLineChars: 100, maxBytes: 100, keepWholeUpTo: 0 })).content;
      }),
    );
  };
  expect(await content("n\u00e9")).toEqual(["nfc"]);
  expect(await content("ne\u0301")).toEqual(["nfd"]);
  expect(await content("two\nl")).toEqual(["newline"]);
  expect(await content("bad")).toEqual(["latin"]);
  expect(await content("bad\\xe9")).toEqual(["latin"]);
  expect(await content("bad\\xE9")).toEqual(["latin"]);
  expect(await content("bad?\u{10ffff}*", false)).toEqual([]);
  expect(await content("bad??")).toEqual(["latin"]);
  expect(await content("?face")).toEqual(["emoji"]);
  expect(await content("^.face$", true)).toEqual(["emoji"]);
  expect(await content("two.lines$", true)).toEqual(["newline"]);
});

test("types: a link counts as what it leads to, where that lies in the roots", async () => {
  const base = plant(freshDir(), { "outside/x-out": "", "root/x-dir/y": "", "root/x-file": "" });
  const root = plant(`${base}/root`, {
    "x-to-file": { to: "x-file" },
    "x-to-dir": { to: "x-dir" },
    "x-to-out": { to: "../outside/x-out" },
    "x-loop": { to: "x-loop" },
    "x-up": { to: ".." },
    "x-here": { to: "." },
  });
  execFileSync("mkfifo", [`${root}/x-fifo`]);
  const names = namesIn(root);
  const types = async (type?: "file" | "dir"): Promise<string[]> => {
    const { hits } = await ask(names, root, { pattern: "x-", type });
    return hits.map(({ path, type: is }) => `${path.slice(root.length + 3)}:${is}`).toSorted();
  };
  expect(await types()).toEqual(
    [
      "dir:dir",
      "file:file",
      "fifo:other",
      "here:link",
      "loop:link",
      "to-dir:link",
      "to-file:link",
      "to-out:link",
      "up:link",
    ].toSorted(),
  );
  expect(await types("file")).toEqual(["file:file", "to-file:link"]);
  expect(await types("dir")).toEqual(["dir:dir", "here:link", "to-dir:link"]);
});

test("sizes and times are asked only of names that match, and are told then", async () => {
  const root = plantNames(freshDir(), ["log-a", "log-b", "log-c", "other"]);
  truncateSync(`${root}/log-a`, 10);
  truncateSync(`${root}/log-b`, 2000);
  truncateSync(`${root}/other`, 2000);
  utimesSync(`${root}/log-a`, 1000, 1000);
  utimesSync(`${root}/log-b`, 2000, 2000);
  utimesSync(`${root}/log-c`, 3000, 3000);
  const names = namesIn(root);
  const hits = async (more: object): Promise<unknown[]> => {
    const answer = await ask(names, root, { pattern: "log", ...more });
    expect(answer.total).toBe(answer.hits.length);
    return answer.hits.map(({ way, size, mtimeMs }) => [way, size, mtimeMs]);
  };
  expect(await hits({ minSize: 10 })).toEqual([
    ["log-a", 10, 1_000_000],
    ["log-b", 2000, 2_000_000],
  ]);
  expect(await hits({ minSize: 11, maxSize: 2000 })).toEqual([["log-b", 2000, 2_000_000]]);
  expect(await hits({ maxSize: 9 })).toEqual([["log-c", 0, 3_000_000]]);
  expect(await hits({ modifiedSince: 2_000_000 })).toEqual([
    ["log-b", 2000, 2_000_000],
    ["log-c", 0, 3_000_000],
  ]);
  expect(await hits({ modifiedSince: 2_000_001, minSize: 1 })).toEqual([]);
});

test("file globs take and leave out; what lies in a folder that is left out is left out, too", async () => {
  const root = plantNames(freshDir(), ["a.ts", "a.js", "gen/a.ts", "src/a.ts", "src/a.test.ts"]);
  expect(await found(root, { pattern: "a", glob: ["*.ts"] })).toEqual([
    "a.ts",
    "gen/a.ts",
    "src/a.ts",
    "src/a.test.ts",
  ]);
  expect(await found(root, { pattern: "a", glob: ["*.ts", "!gen"] })).toEqual(["a.ts", "src/a.ts", "src/a.test.ts"]);
  expect(await found(root, { pattern: "a", glob: ["*.ts", "*.js", "!*.test.ts", "!src/**"] })).toEqual([
    "a.js",
    "a.ts",
    "gen/a.ts",
  ]);
});

test("hidden and ignored names are left out and counted, unless they are asked for", async () => {
  const root = plant(freshDir(), {
    ".gitignore": "out\n*.log\n",
    ".env": "",
    ".cache/x.txt": "",
    "out/x.txt": "",
    "x.log": "",
    "x.txt": "",
  });
  const names = namesIn(root);
  const plain = await ask(names, root, { pattern: "x" });
  expect([plain.hits.map(({ way }) => way), plain.leftOut]).toEqual([
    ["x.txt"],
    { hidden: 3, ignored: 2, unreadable: 0, atLeast: false },
  ]);
  const all = await ask(names, root, { pattern: "x", includeHidden: true, respectIgnore: false });
  expect([all.hits.map(({ way }) => way), all.leftOut]).toEqual([
    ["x.log", "x.txt", "out/x.txt", ".cache/x.txt"],
    { hidden: 0, ignored: 0, unreadable: 0, atLeast: false },
  ]);
});

test("a folder that cannot be read is counted", async ({ skip }) => {
  if (process.getuid?.() === 0) return skip("root reads every folder");
  const root = plantNames(freshDir(), ["shut/x", "x"]);
  chmodSync(`${root}/shut`, 0);
  const answer = await ask(namesIn(root), root, { pattern: "x" }).finally(() => chmodSync(`${root}/shut`, 0o700));
  expect([answer.total, answer.leftOut.unreadable]).toEqual([1, 1]);
});

test("what is closed is not found, nor what lies below it", async () => {
  const root = plantNames(freshDir(), ["x", "data/x", "data/deep/x"]);
  const names = namesIn(root, WALK, filesIn(root, { privatePaths: [`${root}/data`] }));
  const answer = await ask(names, root, { pattern: "*", includeHidden: true });
  expect(answer.hits.map(({ way }) => way)).toEqual(["x"]);
});

test("a root that is a file is looked at alone", async () => {
  const root = plantNames(freshDir(), ["Read.me"]);
  writeFileSync(`${root}/Read.me`, "12345");
  const names = namesIn(root);
  const answer = await ask(names, `${root}/Read.me`, { pattern: "read", minSize: 5 });
  expect([answer.total, answer.hits]).toEqual([
    1,
    [{ way: "", path: `${root}/Read.me`, type: "file", size: 5, mtimeMs: expect.any(Number) as number }],
  ]);
  expect((await ask(names, `${root}/Read.me`, { pattern: "other" })).total).toBe(0);
});

test("the best are kept, all are counted", async () => {
  const root = plantNames(
    freshDir(),
    Array.from(
      { length: 3000 },
      (_, nth) => `${nth % 7}/item-${String(nth).padStart(4, "0")}${nth % 2 === 0 ? "" : ".long"}`,
    ),
  );
  plantNames(root, ["6/deep/item"]);
  const names = namesIn(root);
  const whole = await ask(names, root, { pattern: "item", maxKept: 5000 });
  const few = await ask(names, root, { pattern: "item", maxKept: 10 });
  const light = await ask(names, root, { pattern: "item", maxKeptBytes: 20_000 });
  expect([whole.total, whole.hits.length, few.total, light.total]).toEqual([3001, 3001, 3001, 3001]);
  expect(whole.hits[0]?.way).toBe("6/deep/item");
  expect(few.hits).toEqual(whole.hits.slice(0, 10));
  expect(light.hits.length).toBeGreaterThan(50);
  expect(light.hits).toEqual(whole.hits.slice(0, light.hits.length));
});

test("a search that is cancelled says so, one that runs out of time has what it has", async () => {
  const root = plantNames(freshDir(), ["x", "folder/x"]);
  const names = namesIn(root);
  const query = { ...PLAIN, root, pattern: "x" };
  expect(await failure(names.search(query, { ...LONG_ENOUGH, signal: AbortSignal.abort() }))).toMatchObject({
    code: "CANCELLED",
  });
  const late = await names.search(query, { deadlineMs: 0 });
  expect([late.exact, late.endedBy, late.leftOut.atLeast]).toEqual([false, "deadline", true]);
});

test.for([
  ["empty", { pattern: "" }, "Use * for every name."],
  ["too long", { pattern: "x".repeat(100_000) }, "Use a shorter one."],
  ["with a NUL", { pattern: "a\0b" }, "Leave that out: no name holds it."],
  ["a broken glob", { pattern: "*.{ts" }, expect.stringContaining("Close it by }")],
  ["a broken file glob", { pattern: "a", glob: ["["] }, expect.any(String)],
  ["a slash alone", { pattern: "//" }, "Use * for every name."],
  ["no regex", { pattern: "(a", regex: true }, { id: "escape-or-as-text" }],
] as const)("a pattern is refused: %s", async ([, asked, advice]) => {
  const root = freshDir();
  expect(await failure(ask(namesIn(root), root, asked as unknown as { pattern: string }))).toMatchObject({
    code: "INVALID_ARGUMENT",
    advice: advice as unknown,
  });
});

test("globs that make others count forever are answered", async () => {
  const root = plantNames(freshDir(), ["a".repeat(200), `${"ab".repeat(60)}c`]);
  const bomb = `${"*a".repeat(60)}*b`;
  expect(await found(root, { pattern: bomb })).toEqual([]);
  expect(await found(root, { pattern: `${"{a,ab}".repeat(20)}*c` })).toEqual([`${"ab".repeat(60)}c`]);
});

test.for([
  ["gone", "gone", "NOT_FOUND"],
  ["outside", "..", "INVALID_PATH"],
] as const)("a root that is %s", async ([, name, code]) => {
  const root = freshDir();
  expect(await failure(ask(namesIn(root), `${root}/${name}`, { pattern: "x" }))).toMatchObject({ code });
});
