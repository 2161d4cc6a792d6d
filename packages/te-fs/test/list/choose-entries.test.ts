import fc from "fast-check";
import { expect, test } from "vitest";
import {
  leftOutOf,
  selectFirst,
  selectLevels,
  type ListedEntry,
  type ListedFolder,
  type Listing,
  type Selection,
} from "../../src/index.js";

type Tree = { readonly [name: string]: Tree | number };

/** Builds a listing; a number n stands for the files f1 to fn. */
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

test("what fits is chosen, breadth first", () => {
  const tree = listing({ a: { x: { f: 1 } }, b: { f: 2 }, f: 1 });
  expect(Object.entries(counts(selectLevels(tree, 1000)))).toEqual([
    ["/r", 3],
    ["/r/a", 1],
    ["/r/b", 2],
    ["/r/a/x", 1],
  ]);
});

test("small folders go before big ones; what does not fit whole gets the room that is left", () => {
  const tree = listing({ big: { f: 60 }, mid: { f: 30 }, small: { f: 2 } });
  expect(counts(selectLevels(tree, 3 + 2 + 30 + 59))).toEqual({ "/r": 3, "/r/big": 59, "/r/mid": 30, "/r/small": 2 });
  expect(counts(selectLevels(tree, 3 + 2 + 29))).toEqual({ "/r": 3, "/r/big": 29, "/r/small": 2 });
  expect(counts(selectLevels(tree, 2))).toEqual({ "/r": 2 });
});

test("a level goes before what is below it; what tools fill comes last", () => {
  const tree = listing({ a: { deep: { f: 5 }, f: 3 }, b: { f: 4 } });
  expect(counts(selectLevels(tree, 2 + 4 + 4 + 4))).toEqual({ "/r": 2, "/r/a": 4, "/r/b": 4, "/r/a/deep": 4 });
  const filled = listing({ node_modules: { f: 21 }, ".git": { f: 20 }, src: { lib: { f: 30 } } });
  expect(counts(selectLevels(filled, 3 + 20 + 1 + 30))).toEqual({
    "/r": 3,
    "/r/.git": 20,
    "/r/src": 1,
    "/r/src/lib": 30,
  });
});

test("what is left out is told at the entry that it lies in", () => {
  const tree = listing({ a: { deep: { f: 5 }, f: 3 }, f: 1 });
  const chosen = selectLevels(tree, 2 + 2);
  const [a, f] = tree.folders[0]?.entries ?? [];
  const [deep] = chosen.get(a?.contents as ListedFolder) ?? [];
  expect([a, deep, f].map((entry) => leftOutOf(chosen, entry as ListedEntry))).toEqual([2, 5, 0]);
});

test("whatever the tree and the room: as many as there is room for, and each one is chosen or counted", () => {
  const tree = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.dictionary(
      fc.stringMatching(/^[a-d]$/),
      fc.oneof({ depthSize: "small" }, fc.integer({ min: 0, max: 40 }), tie("tree")),
      { maxKeys: 4 },
    ),
  })).tree;
  fc.assert(
    fc.property(tree, fc.integer({ min: 1, max: 100 }), (made, most) => {
      const all = listing(made);
      const chosen = selectLevels(all, most);
      const entries = [...chosen.values()].flat();
      const left = entries.reduce((sum, entry) => sum + leftOutOf(chosen, entry), 0);
      const top = all.folders[0]?.entries.slice(entries.length) ?? [];
      expect(entries.length).toBe(Math.min(most, all.total));
      if (entries.length >= (all.folders[0]?.count ?? 0)) expect(entries.length + left).toBe(all.total);
      else expect(top.length).toBeGreaterThan(0);
    }),
  );
});

test("a folder whose entries were too many to keep is left out", () => {
  const tree = listing({ a: { f: 3 } });
  const a = tree.folders[0]?.entries[0]?.contents as { -readonly [Key in keyof ListedFolder]: ListedFolder[Key] };
  a.entries = [];
  const chosen = selectLevels(tree, 1000);
  expect([...chosen.values()].flat().map((entry) => leftOutOf(chosen, entry))).toEqual([3]);
});

test("matches of a glob are chosen from the first on, folder after folder", () => {
  const tree = listing({ a: { f: 5 }, b: { f: 5 } });
  expect(counts(selectFirst(tree, 9))).toEqual({ "/r": 2, "/r/a": 5, "/r/b": 2 });
});
