import type { ListedEntry, ListedFolder, Listing } from "@llmc/te-fs";
import { expect, test } from "vitest";
import { selectFirst, selectFolded, type Selection } from "../../../../src/tools/fs/listing/select.js";

type Tree = { readonly [name: string]: Tree | number };

/** A listing of folders, and of numbers: so many files f1, f2, … */
function listing(tree: Tree): Listing {
  const folders: ListedFolder[] = [];
  const top = folderOf(tree, "/r", 0);
  for (let level = [top]; level.length > 0;) {
    folders.push(...level);
    level = level.flatMap(({ entries }) => entries.flatMap(({ contents }) => contents ?? []));
  }
  return { path: "/r", folders, total: top.total, hidden: 0, ignored: 0, isWhole: true, notEntered: 0 };
}

function folderOf(tree: Tree, path: string, depth: number): ListedFolder {
  const entries = Object.entries(tree).flatMap(([name, what]): ListedEntry[] =>
    typeof what === "number"
      ? Array.from({ length: what }, (_, index) => ({ name: `${name}${index + 1}`, type: "file", size: 1 }))
      : [{ name, type: "dir", contents: folderOf(what, `${path}/${name}`, depth + 1) }],
  );
  const below = entries.reduce((sum, { contents }) => sum + (contents?.total ?? 0), 0);
  return { path, depth, entries, count: entries.length, total: entries.length + below };
}

function counts(selection: Selection): Record<string, number> {
  return Object.fromEntries(Array.from(selection, ([{ path }, entries]) => [path, entries.length]));
}

const room = { entries: 1000, tokens: 1e6, bytes: 1e6 };

test("what fits is shown, breadth first", () => {
  const tree = listing({ a: { x: { f: 1 } }, b: { f: 2 }, f: 1 });
  expect(Object.entries(counts(selectFolded(tree, room, false)))).toEqual([
    ["/r", 3],
    ["/r/a", 1],
    ["/r/b", 2],
    ["/r/a/x", 1],
  ]);
});

test("of the listed folder the first entries are shown, of one below it all or none", () => {
  expect(counts(selectFolded(listing({ f: 50 }), { ...room, entries: 10 }, false))).toEqual({ "/r": 10 });
  expect(counts(selectFolded(listing({ a: { f: 50 } }), { ...room, entries: 10 }, false))).toEqual({ "/r": 1 });
});

test("small folders go before big ones, and what they leave over goes to the next", () => {
  const tree = listing({ big: { f: 60 }, mid: { f: 30 }, small: { f: 2 } });
  expect(counts(selectFolded(tree, { ...room, entries: 3 + 2 + 30 + 59 }, false))).toEqual({
    "/r": 3,
    "/r/mid": 30,
    "/r/small": 2,
  });
  expect(counts(selectFolded(tree, { ...room, entries: 3 + 2 + 30 + 60 }, false))).toMatchObject({ "/r/big": 60 });
});

test("a level goes before what is below it, and what is in a folded folder is not shown", () => {
  const tree = listing({ a: { deep: { f: 5 }, f: 3 }, b: { f: 4 } });
  expect(counts(selectFolded(tree, { ...room, entries: 2 + 4 + 4 + 4 }, false))).toEqual({
    "/r": 2,
    "/r/a": 4,
    "/r/b": 4,
  });
  expect(counts(selectFolded(tree, { ...room, entries: 2 + 3 }, false))).toEqual({ "/r": 2 });
});

test("tokens and bytes bound it as well as entries do", () => {
  const tree = listing({ f: 1000, d: { f: 5 } });
  const { "/r": byTokens = 0 } = counts(selectFolded(tree, { ...room, tokens: 100 }, false));
  const { "/r": byBytes = 0 } = counts(selectFolded(tree, { ...room, bytes: 100 }, false));
  expect([byTokens > 5, byTokens < 100, byBytes]).toEqual([true, true, 15]);
});

test("a folder whose entries were too many to keep is folded", () => {
  const tree = listing({ a: { f: 3 } });
  const a = tree.folders[0]?.entries[0]?.contents as { -readonly [Key in keyof ListedFolder]: ListedFolder[Key] };
  a.entries = [];
  expect(counts(selectFolded(tree, room, false))).toEqual({ "/r": 1 });
});

test("what tools fill is folded when it is much and nobody asked for more", () => {
  const tree = listing({ node_modules: { f: 21 }, ".git": { f: 20 }, my_node_modules: { f: 21 } });
  expect(counts(selectFolded(tree, room, true))).toEqual({ "/r": 3, "/r/.git": 20, "/r/my_node_modules": 21 });
  expect(counts(selectFolded(tree, room, false))).toMatchObject({ "/r/node_modules": 21 });
});

test("matches of a glob are shown from the first on, folder after folder", () => {
  const tree = listing({ a: { f: 5 }, b: { f: 5 } });
  expect(counts(selectFirst(tree, { ...room, entries: 9 }))).toEqual({ "/r": 2, "/r/a": 5, "/r/b": 2 });
});
