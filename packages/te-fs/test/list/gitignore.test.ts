import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";
import { list, pathsIn } from "./listed.js";

const ask = { respectGitignore: true } as const;

test("what a .gitignore names is left out and counted, and what it keeps is not", async () => {
  const root = plant(freshDir(), {
    ".gitignore": "*.log\n!keep.log\ndist/\n/top\n",
    "a.log": "",
    "keep.log": "",
    "dist/x": "",
    top: "",
    "src/top": "",
    "src/b.log": "",
  });
  const listing = await list(filesIn(root), root, ask);
  expect([pathsIn(listing), listing.ignored]).toEqual([["src/", ".gitignore", "keep.log", "src/top"], 4]);
});

test("one further down goes before those above it", async () => {
  const root = plant(freshDir(), {
    ".gitignore": "*.log\n",
    "src/.gitignore": "!*.log\n/x\n",
    "src/a.log": "",
    "src/x": "",
    x: "",
  });
  expect(pathsIn(await list(filesIn(root), root, ask))).toEqual([
    "src/",
    ".gitignore",
    "x",
    "src/.gitignore",
    "src/a.log",
  ]);
});

test("a listed sub-folder obeys the rules of its repository, from its top on and no further", async () => {
  const root = plant(freshDir(), {
    ".gitignore": "secret\n",
    "repo/.git/HEAD": "",
    "repo/.gitignore": "/src/gen\n*.o\n",
    "repo/src/gen/x": "",
    "repo/src/a.o": "",
    "repo/src/secret": "",
  });
  const files = filesIn(root);
  expect(pathsIn(await list(files, "repo/src", ask))).toEqual(["secret"]);
  expect(pathsIn(await list(files, "repo", ask))).toEqual(["src/", ".gitignore", "src/secret"]);
});

test("without a repository around it, the rules of the folders above do not count", async () => {
  const root = plant(freshDir(), { ".gitignore": "*\n", "a/b": "" });
  expect(pathsIn(await list(filesIn(root), "a", ask))).toEqual(["b"]);
});

test("a repository whose top lies outside the roots is not looked at", async () => {
  const base = plant(freshDir(), { ".git/HEAD": "", ".gitignore": "*\n", "root/a": "" });
  expect(pathsIn(await list(filesIn(`${base}/root`), ".", ask))).toEqual(["a"]);
});

test("a link, a FIFO, a folder and a file far too long for one are no .gitignore", async () => {
  const base = plant(freshDir(), { "outside/rules": "*\n" });
  const root = plant(`${base}/root`, {
    "a/x": "",
    "b/x": "",
    "c/.gitignore/x": "",
    "d/x": "",
    "d/.gitignore": `*\n${"#".repeat(1024 * 1024)}`,
  });
  symlinkSync("../../outside/rules", `${root}/a/.gitignore`);
  execFileSync("mkfifo", [`${root}/b/.gitignore`]);
  const paths = pathsIn(await list(filesIn(root), root, ask));
  expect(paths.filter((path) => path.endsWith("/x"))).toEqual(["a/x", "b/x", "d/x", "c/.gitignore/x"]);
});

test("it is what git itself would list", async ({ skip }) => {
  const root = freshDir();
  const git = (...args: string[]) => execFileSync("git", ["-C", root, ...args], { encoding: "utf8" });
  try {
    git("init", "-q");
  } catch {
    skip("git is not installed");
  }
  const rules = "build/\n*.tmp\n!important.tmp\ndocs/**/*.html\n/only-top\n\\#hash\ntrail \n[ab].c\n";
  plant(root, { ".gitignore": rules, "pkg/.gitignore": "local\n!b.c\n" });
  const names = ["build", "x.tmp", "important.tmp", "only-top", "#hash", "trail", "a.c", "b.c", "page.html", "local"];
  for (const folder of ["", "pkg/", "docs/", "docs/deep/", "build/"]) {
    mkdirSync(`${root}/${folder}`, { recursive: true });
    for (const name of names) if (folder !== "" || name !== "build") writeFileSync(`${root}/${folder}${name}`, "");
  }
  const listed = pathsIn(await list(filesIn(root), root, ask)).filter((path) => !path.endsWith("/"));
  const known = git("-c", "core.quotePath=off", "ls-files", "-co", "--exclude-standard").trimEnd().split("\n");
  expect(listed.toSorted()).toEqual(known.toSorted());
});
