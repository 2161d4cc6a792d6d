import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { copyPath, movePath } from "../one-path.js";

import { removePath } from "../one-path.js";
import { freshQuickDir, otherDisk } from "../../../te-path/test/other-disk.js";
import { snapshot } from "../../../te-path/test/snapshot.js";
import { ME, undoLast, workshop, type Workshop } from "../workshop.js";

type Node =
  | { readonly kind: "file"; readonly bytes: Uint8Array; readonly mode: number; readonly hole: number }
  | { readonly kind: "link"; readonly to: string }
  | { readonly kind: "same"; readonly as: number }
  | { readonly kind: "folder"; readonly mode: number; readonly holds: readonly (readonly [Buffer, Node])[] };

// Any bytes but a slash and NUL, and not what means a folder itself.
const name = fc
  .uint8Array({ minLength: 1, maxLength: 12 })
  .map((bytes) => Buffer.from(bytes.map((byte) => (byte === 0 || byte === 47 ? 95 : byte))))
  .filter((bytes) => !["", ".", ".."].includes(bytes.toString("latin1")));

const { tree } = fc.letrec<{ tree: Node; node: Node }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.record({
      kind: fc.constant("file" as const),
      bytes: fc.uint8Array({ maxLength: 200 }),
      // Only root reads what nobody may.
      mode: fc.integer({ min: 0, max: 0o777 }).map((mode) => (process.getuid?.() === 0 ? mode : mode | 0o400)),
      hole: fc.constantFrom(0, 0, 5000, 3_000_000),
    }),
    fc.record({
      kind: fc.constant("link" as const),
      to: fc.string({ minLength: 1, maxLength: 20 }).filter((to) => !to.includes("\0")),
    }),
    fc.record({ kind: fc.constant("same" as const), as: fc.nat(20) }),
    tie("tree"),
  ),
  tree: fc.record({
    kind: fc.constant("folder" as const),
    mode: fc.integer({ min: 0, max: 0o1777 }).map((mode) => mode | 0o700),
    holds: fc.array(fc.tuple(name, tie("node")), { maxLength: 6 }),
  }),
}));

/** Makes the tree; times are those of a counter, so that each is another. */
function grow(path: Buffer, node: Node, files: Buffer[], clock: { now: number }): void {
  if (node.kind === "file") {
    writeFileSync(path, node.bytes);
    if (node.hole > 0) truncateSync(path, node.bytes.length + node.hole);
    chmodSync(path, node.mode);
    files.push(path);
  } else if (node.kind === "link") symlinkSync(node.to, path);
  else if (node.kind === "same") {
    const first = files[node.as % Math.max(1, files.length)];
    if (first === undefined) writeFileSync(path, "alone");
    else linkSync(first, path);
  } else {
    mkdirSync(path);
    const taken = new Set<string>();
    for (const [each, below] of node.holds) {
      if (taken.has(each.toString("latin1"))) continue;
      taken.add(each.toString("latin1"));
      grow(Buffer.concat([path, Buffer.from("/"), each]), below, files, clock);
    }
    chmodSync(path, node.mode);
  }
  clock.now += 1.000001;
  lutimesSync(path, 0, 1_500_000_000 + clock.now);
}

/** A tree and which of its names are one file. */
function whole(dir: string): object {
  const inodes = execFileSync("find", [dir, "-type", "f", "-printf", "%i %P\\0"], { encoding: "latin1" })
    .split("\0")
    .filter(Boolean);
  const groups = new Map<string, string[]>();
  for (const line of inodes) {
    const [inode = "", ...rest] = line.split(" ");
    groups.set(inode, [...(groups.get(inode) ?? []), rest.join(" ")].toSorted());
  }
  return {
    all: snapshot(dir),
    same: [...groups.values()]
      .filter(({ length }) => length > 1)
      .map(String)
      .toSorted(),
  };
}

function planted(shop: Workshop, node: Node): object {
  rmSync(shop.root, { recursive: true, force: true });
  mkdirSync(shop.root);
  grow(Buffer.from(`${shop.root}/t`), node, [], { now: 0 });
  return whole(`${shop.root}/t`);
}

const runs = { numRuns: process.env["LLMC_LONG"] === "1" ? 300 : 25 };

test("a copy is like its original, and the original stays as it was", { timeout: 300_000 }, async () => {
  const shop = workshop(freshQuickDir());
  await fc.assert(
    fc.asyncProperty(tree, async (node) => {
      const before = planted(shop, node);
      await copyPath(shop.undo, shop.guard, "t", "c", ME);
      expect(whole(`${shop.root}/c`)).toEqual(before);
      expect(whole(`${shop.root}/t`)).toEqual(before);
    }),
    runs,
  );
});

test(
  "a deleted tree comes back whole, and so does one that was moved to another file system",
  { timeout: 300_000 },
  async ({ skip }) => {
    const shop = workshop(freshQuickDir());
    const disk = otherDisk(`${shop.base}/disk`, skip);
    const both = {
      ...workshop(shop.base, { roots: ["root", "disk"], journal: { dir: `${shop.base}/data/other` } }),
      disk,
    };
    await fc.assert(
      fc.asyncProperty(tree, async (node) => {
        const before = planted(both, node);
        await removePath(both.undo, both.guard, "t", { ...ME, recursive: true });
        expect(readdirSync(both.root)).toEqual([]);
        await undoLast(both);
        expect(whole(`${both.root}/t`)).toEqual(before);
        await movePath(both.undo, both.guard, "t", disk, ME);
        expect(readdirSync(both.root)).toEqual([]);
        expect(whole(`${disk}/t`)).toEqual(before);
        await undoLast(both);
        expect(whole(`${both.root}/t`)).toEqual(before);
        expect(readdirSync(disk)).toEqual([]);
      }),
      runs,
    );
  },
);
