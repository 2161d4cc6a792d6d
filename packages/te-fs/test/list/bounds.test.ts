import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { codeOf, freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";
import { list, pathsIn, watchedSignal } from "./listed.js";

/** The names f0000, f0001, … with so many characters behind each. */
function many(dir: string, count: number, tail = ""): string[] {
  const names = Array.from({ length: count }, (_, index) => `f${String(index).padStart(4, "0")}${tail}`);
  for (const name of names.toReversed()) writeFileSync(`${dir}/${name}`, "x");
  return names;
}

test("a folder with many names is listed some at a time, and as completely", async () => {
  const root = plant(freshDir(), { "zz/in": "", "aa/in": "" });
  const names = many(root, 2000, "-with-a-long-name-that-makes-the-folder-large");
  const listing = await list(filesIn(root), root);
  expect(pathsIn(listing)).toEqual(["aa/", "zz/", ...names, "aa/in", "zz/in"]);
  expect(listing.folders[0]?.entries[3]).toMatchObject({ type: "file", size: 1 });
});

test("what is too much to keep is counted; of the listed folder the first entries stay", async () => {
  const root = plant(freshDir(), { "a/x": "", "a/deep/y": "" });
  const names = many(root, 300);
  mkdirSync(`${root}/b`);
  many(`${root}/b`, 50);
  const { folders, total, isWhole, notEntered } = await list(filesIn(root), root, {
    maxEntries: 5,
    maxKeptBytes: 20_000,
  });
  expect([total, isWhole, notEntered]).toEqual([302 + 2 + 50 + 1, false, 0]);
  expect(folders.map(({ path, entries, count }) => [path.slice(root.length), entries.length, count])).toEqual([
    ["", 5, 302],
    ["/a", 0, 2],
    ["/b", 0, 50],
    ["/a/deep", 0, 1],
  ]);
  expect(folders[0]?.entries.map(({ name }) => name)).toEqual(["a", "b", ...names.slice(0, 3)]);
  expect(folders[0]?.entries[0]?.contents?.total).toBe(3);
});

test("what fits exactly is whole", async () => {
  const root = freshDir();
  many(root, 10);
  const bytes = 10 * (80 + root.length + "f0000".length);
  const isWhole = async (maxKeptBytes: number) => (await list(filesIn(root), root, { maxKeptBytes })).isWhole;
  expect([await isWhole(bytes), await isWhole(bytes - 1)]).toEqual([true, false]);
});

test("so many folders are entered and no more; the others are counted", async () => {
  const root = plant(freshDir(), { "a/f": "", "b/f": "", "c/f": "" });
  const { folders, total, notEntered } = await list(filesIn(root), root, { maxFolders: 3 });
  expect([folders.map(({ path }) => path.slice(root.length)), total, notEntered]).toEqual([["", "/a", "/b"], 5, 1]);
});

test("when time is up the first entries of the listed folder are there all the same", async () => {
  const root = plant(freshDir(), { "a/f": "", b: "" });
  many(root, 300);
  const { folders, total, isWhole, notEntered } = await list(filesIn(root), root, { maxMs: 0 });
  expect([folders.length, folders[0]?.entries.length, total, isWhole, notEntered]).toEqual([1, 256, 302, false, 1]);
});

test("a call that is cancelled ends as such, wherever it was by then", async () => {
  const root = plant(freshDir(), { "a/f": "" });
  const files = filesIn(root);
  expect(await codeOf(list(files, root, { signal: AbortSignal.abort() }))).toBe("CANCELLED");
  plant(root, { "b/f": "", "c/d/f": "" });
  const whole = watchedSignal(() => false);
  await list(files, root, { signal: whole.signal });
  const held = () => readdirSync("/proc/self/fd").length;
  const before = held();
  const codes = Array.from({ length: whole.looks() }, async (_, index) =>
    codeOf(list(files, root, { signal: watchedSignal((looks) => looks > index).signal })),
  );
  expect(new Set(await Promise.all(codes))).toEqual(new Set(["CANCELLED"]));
  expect(held()).toBe(before);
});

test("a listing gives other work its turn", async () => {
  const root = freshDir();
  for (let index = 0; index < 20; index += 1) {
    mkdirSync(`${root}/d${index}`);
    many(`${root}/d${index}`, 250);
  }
  const files = filesIn(root);
  await list(files, root);
  let turns = 0;
  let done = false;
  const turn = (): void => {
    turns += 1;
    if (!done) setImmediate(turn);
  };
  setImmediate(turn);
  await list(files, root);
  done = true;
  expect(turns).toBeGreaterThan(2);
});

/** A file system that does not say in its folders what an entry is. */
function withoutKinds(skip: (note: string) => never): string {
  const dir = freshDir();
  mkdirSync(`${dir}/mnt`);
  try {
    execFileSync("truncate", ["-s", "16M", `${dir}/image`], { stdio: "ignore" });
    execFileSync("mkfs.ext4", ["-q", "-O", "^filetype", `${dir}/image`], { stdio: "ignore" });
    execFileSync("mount", ["-o", "loop", `${dir}/image`, `${dir}/mnt`], { stdio: "ignore" });
  } catch {
    skip("mkfs.ext4 is missing, or this user may not mount");
  }
  onTestFinished(() => void execFileSync("umount", ["--lazy", `${dir}/mnt`]));
  return `${dir}/mnt`;
}

test.for([3, 1000])("a file system that tells no kinds is listed all the same (%i names)", async (count, { skip }) => {
  const root = plant(withoutKinds(skip), { "d/ä": "", l: { to: "d" }, ö: "" });
  const names = many(root, count);
  const files = filesIn(root);
  const paths = ["d/", "lost+found/", ...names, "l -> d", "ö", "d/ä"];
  expect(pathsIn(await list(files, root))).toEqual(paths);
  expect(pathsIn(await list(files, root, { glob: "ä" }))).toEqual(["d/ä"]);
});
