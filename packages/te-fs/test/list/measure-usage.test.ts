import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { codeOf, freshDir, plant } from "../../../te-path/test/tree.js";
import type { Usage, UsageOptions } from "../../src/index.js";
import { filesIn } from "../files.js";
import { watchedSignal } from "./listed.js";

const all: UsageOptions = { depth: 10, maxRows: 1000, maxMs: 60_000 };

function usage(root: string, options: Partial<UsageOptions> = {}): Promise<Usage> {
  return filesIn(root).usage(root, { ...all, ...options });
}

function du(path: string): number {
  return Number(execFileSync("du", ["-sx", "--block-size=1", path], { encoding: "utf8" }).split("\t")[0]);
}

const KB = 1024;

test("sums are those of du, of each folder too, hidden names included", async () => {
  const root = plant(freshDir(), {
    "a/big": Buffer.alloc(300 * KB),
    "a/deep/er/x": Buffer.alloc(20 * KB),
    ".hidden/y": Buffer.alloc(100 * KB),
    z: "z",
    empty: null,
  });
  symlinkSync("/etc", `${root}/link`);
  const found = await usage(root);
  expect([found.bytes, found.entries, found.found]).toEqual([du(root), 10, 10]);
  for (const { path, bytes, type } of found.rows) if (type === "dir") expect([path, bytes]).toEqual([path, du(path)]);
  expect(found.rows.slice(0, 3).map(({ path }) => path.slice(root.length))).toEqual(["/a", "/a/big", "/.hidden"]);
  expect(found.rows.find(({ path }) => path.endsWith("/z"))).toMatchObject({ type: "file", size: 1 });
});

test("a file with two names counts once", async () => {
  const root = plant(freshDir(), { "a/f": Buffer.alloc(64 * KB), b: null });
  linkSync(`${root}/a/f`, `${root}/b/g`);
  expect((await usage(root)).bytes).toBe(du(root));
});

test("rows end at the depth, sums do not; of many rows the largest stay", async () => {
  const root = plant(freshDir(), { "a/b/c/f": Buffer.alloc(200 * KB) });
  for (let nth = 0; nth < 30; nth += 1) writeFileSync(`${root}/f${nth}`, Buffer.alloc((nth + 1) * 4 * KB));
  const { rows, found, entries } = await usage(root, { depth: 0, maxRows: 3 });
  expect(rows.map(({ path }) => path.slice(root.length))).toEqual(["/a", "/f29", "/f28"]);
  expect([rows[0]?.bytes, found, entries]).toEqual([du(`${root}/a`), 31, 34]);
});

test("when time is up it is told how much was counted, and how many folders were not", async () => {
  const root = plant(freshDir(), { "a/f": "", "b/f": "", f: "" });
  const { entries, notEntered, rows } = await usage(root, { maxMs: -1 });
  expect([entries, notEntered, rows.length]).toEqual([0, 1, 0]);
  const some = await usage(root, { maxMs: 60_000 });
  expect([some.entries, some.notEntered]).toEqual([5, 0]);
});

test("another file system is named and not counted", async ({ skip }) => {
  const root = plant(freshDir(), { "here/f": Buffer.alloc(40 * KB) });
  mkdirSync(`${root}/mnt`);
  try {
    execFileSync("mount", ["-t", "tmpfs", "none", `${root}/mnt`], { stdio: "ignore" });
  } catch {
    skip("this user may not mount");
  }
  onTestFinished(() => void execFileSync("umount", ["--lazy", `${root}/mnt`]));
  writeFileSync(`${root}/mnt/f`, Buffer.alloc(400 * KB));
  const { bytes, rows } = await usage(root);
  expect(bytes).toBe(du(root));
  expect(rows.find(({ path }) => path.endsWith("/mnt"))).toMatchObject({ bytes: 0, problem: "another file system" });
});

test("credentials and the server's own state are not looked at", async () => {
  const home = plant(freshDir(), { ".ssh/id": Buffer.alloc(500 * KB), f: "" });
  const files = filesIn(home, { home, homes: [home], deny: [".ssh"] });
  const { rows, bytes } = await files.usage(home, all);
  expect([rows.map(({ path }) => path.slice(home.length)), bytes < 100 * KB]).toEqual([["/f"], true]);
});

test("a cancelled call ends as such, and holds nothing open", async () => {
  const root = plant(freshDir(), { "a/f": "", "b/c/f": "" });
  const files = filesIn(root);
  const whole = watchedSignal(() => false);
  await files.usage(root, { ...all, signal: whole.signal });
  const codes = Array.from({ length: whole.looks() }, (_, index) =>
    codeOf(files.usage(root, { ...all, signal: watchedSignal((looks) => looks > index).signal })),
  );
  expect(new Set(await Promise.all(codes))).toEqual(new Set(["CANCELLED"]));
});

test("any tree is counted as du counts it", async () => {
  const name = fc.stringMatching(/^[a-z.é]{1,6}$/).filter((each) => !/^\.{1,2}$/.test(each));
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
  const files = fc.uniqueArray(fc.tuple(path, fc.integer({ min: 0, max: 20_000 })), {
    selector: ([each]) => each,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(files, async (entries) => {
      const root = freshDir();
      for (const [each, size] of entries) {
        try {
          plant(root, { [each]: Buffer.alloc(size, 1) });
        } catch {
          // Skips a path below the name of a file.
        }
      }
      expect((await usage(root)).bytes).toBe(du(root));
    }),
    { numRuns: 30 },
  );
});
