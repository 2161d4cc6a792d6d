import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileGlob } from "../../../names/src/glob/glob.js";
import { displayPath, toBytes } from "../../../names/src/path/names.js";
import { freshDir } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";
import { list, pathsIn } from "./listed.js";

type Tree = { readonly [name: string]: Tree | "file" | "link" };

const name = fc.oneof(
  fc.constantFrom("a", "b", "B", "a.ts", ".a", ".git", "a b", "ä", "日本", "a-", "a0", "\xff".repeat(2), "x\ny"),
  fc.string({ minLength: 1, maxLength: 8 }).filter((text) => !/[\0/]|^\.{1,2}$/.test(text)),
);

const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.dictionary(name, fc.oneof({ depthSize: "small" }, fc.constantFrom("file", "link"), tie("tree")), {
    maxKeys: 6,
    noNullPrototype: true,
  }) as fc.Arbitrary<Tree>,
}));

function grow(dir: string, what: Tree): void {
  for (const [each, kind] of Object.entries(what)) {
    const path = join(dir, each);
    if (kind === "file") writeFileSync(path, "x");
    else if (kind === "link") symlinkSync("..", path);
    else {
      mkdirSync(path);
      grow(path, kind);
    }
  }
}

/** What anyone would write who has nothing to fear. */
function naive(top: string, { depth, includeHidden }: { depth: number; includeHidden: boolean }): string[] {
  const lines: string[] = [];
  let level = [""];
  for (let at = 0; at <= depth && level.length > 0; at += 1) {
    const next: string[] = [];
    for (const folder of level) {
      const names = readdirSync(join(top, folder), "utf8")
        .filter((each) => includeHidden || !each.startsWith("."))
        .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      const isFolder = (each: string) => lstatSync(join(top, folder, each)).isDirectory();
      const isLink = (each: string) => lstatSync(join(top, folder, each)).isSymbolicLink();
      for (const each of names.filter(isFolder)) {
        lines.push(`${folder}${each}/`);
        next.push(`${folder}${each}/`);
      }
      for (const each of names.filter((one) => !isFolder(one))) {
        lines.push(`${folder}${each}${isLink(each) ? " -> .." : ""}`);
      }
    }
    level = next;
  }
  return lines;
}

test("a listing is what a naive walk finds", async () => {
  const dir = freshDir();
  const files = filesIn(dir);
  const options = fc.record({ depth: fc.integer({ min: 0, max: 4 }), includeHidden: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(tree, options, async (what, wanted) => {
      const root = mkdtempSync(join(dir, "t"));
      grow(root, what);
      const listing = await list(files, root, wanted);
      expect(pathsIn(listing)).toEqual(naive(root, wanted));
      expect(listing.total).toBe(pathsIn(listing).length);
      rmSync(root, { recursive: true });
    }),
    { numRuns: 60 },
  );
});

test("with a glob it is what of a full listing matches", async () => {
  const dir = freshDir();
  const files = filesIn(dir);
  const globs = fc.constantFrom("a", "*.ts", "**/a", "a/**", "*/*", "!a", "!a/*", "{a,b}/**/a*", "[ab]", "**/.*", "?");
  await fc.assert(
    fc.asyncProperty(tree, globs, async (what, glob) => {
      const root = mkdtempSync(join(dir, "t"));
      grow(root, what);
      const { matches } = compileGlob(glob);
      const full = await list(files, root);
      const expected = full.folders.flatMap(({ path, entries }) =>
        entries
          .map(({ name: each, type }) => ({ way: `${path}/${each}`.slice(root.length + 1), isFolder: type === "dir" }))
          .filter(({ way, isFolder }) => matches(toBytes(way), isFolder)),
      );
      const found = (await list(files, root, { glob })).folders.flatMap(({ path, entries }) =>
        entries.map(({ name: each }) => `${path}/${each}`.slice(root.length + 1)),
      );
      expect(found).toEqual(expected.map(({ way }) => way));
      rmSync(root, { recursive: true });
    }),
    { numRuns: 60 },
  );
});

test("names of any bytes are shown, and each can be asked for by what is shown", async () => {
  const dir = freshDir();
  const files = filesIn(dir);
  const bytes = fc
    .uint8Array({ minLength: 1, maxLength: 12 })
    .map((each) => Buffer.from(each).toString("latin1"))
    .filter((text) => !/[\0/]|^\.{1,2}$/.test(text));
  await fc.assert(
    fc.asyncProperty(bytes, async (each) => {
      const root = mkdtempSync(join(dir, "t"));
      mkdirSync(Buffer.from(`${root}/${each}`, "latin1"));
      const [shown] = pathsIn(await list(files, root, { depth: 0 }));
      expect(shown).toBe(`${displayPath(each)}/`);
      expect((await files.stat(`${root}/${shown}`)).type).toBe("dir");
      rmSync(root, { recursive: true });
    }),
    { numRuns: 80 },
  );
});
