import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshDir } from "../../../te-path/test/tree.js";
import { filesIn } from "../../../te-fs/test/files.js";
import { findSearchRoot } from "../../src/search-root/find-search-root.js";
import { readSpans } from "../../src/walk/read-spans.js";

test("parts of files below the root are read, in the order of the question, and end where the file does", async () => {
  const root = freshDir();
  await mkdir(join(root, "d/e"), { recursive: true });
  await writeFile(join(root, "d/e/f"), "0123456789");
  await writeFile(join(root, "a"), "abc");
  const files = filesIn(root);
  const read = await readSpans(files.scope, await findSearchRoot(files.scope, root), [
    {
      way: "d/e/f",
      spans: [
        { from: 2, to: 5 },
        { from: 8, to: 20 },
        { from: 30, to: 40 },
      ],
    },
    { way: "a", spans: [{ from: 0, to: 3 }] },
    { way: "d/e/f", spans: [] },
  ]);
  expect(read.map((parts) => parts?.map(String))).toEqual([["234", "89", ""], ["abc"], []]);
  const alone = await findSearchRoot(files.scope, join(root, "a"));
  expect((await readSpans(files.scope, alone, [{ way: "", spans: [{ from: 1, to: 2 }] }]))[0]?.map(String)).toEqual([
    "b",
  ]);
});

test("what is gone, a link, a folder, outside or closed is not read", async () => {
  const root = freshDir();
  const outside = freshDir();
  await writeFile(join(outside, "secret"), "secret");
  await mkdir(join(root, "own"));
  await writeFile(join(root, "own/state"), "secret");
  await symlink(outside, join(root, "out"));
  await symlink(join(outside, "secret"), join(root, "link"));
  const files = filesIn(root, { privatePaths: [join(root, "own")] });
  const ways = ["gone", "link", "out/secret", "own", "own/state", "../secret", "no/folder"];
  const asked = ways.map((way) => ({ way, spans: [{ from: 0, to: 9 }] }));
  const read = await readSpans(files.scope, await findSearchRoot(files.scope, root), asked);
  expect(read).toEqual(ways.map(() => undefined));
});
