import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Files } from "../../src/index.js";
import { failure, freshDir, plant } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";

const me = { owner: "o", session: "s" };

function site(): { readonly root: string; readonly files: Files } {
  const base = freshDir();
  const root = join(base, "root");
  mkdirSync(root);
  return { root, files: filesIn(root, { stateDir: join(base, "data") }) };
}

/** A copied tree, of which `d/x` has two names. */
async function copied(): Promise<ReturnType<typeof site>> {
  const here = site();
  plant(here.root, { "d/x": "x", "d/e/y": "y", "d/e/f": null, "d/l": { to: "x" } });
  linkSync(join(here.root, "d/x"), join(here.root, "d/e/x2"));
  await here.files.copy("d", "c", me);
  return here;
}

const REFUSED: Record<string, readonly [where: string, deed: (copy: string) => void]> = {
  "a file that was changed": ["c/x", (copy) => writeFileSync(join(copy, "x"), "theirs")],
  "a file that was changed to another content of the same size and time": [
    "c/e/y",
    (copy) => {
      writeFileSync(join(copy, "e/y"), "Y");
      utimesSync(join(copy, "e/y"), 1, 1);
    },
  ],
  "a file that was added": ["c/e/f/new", (copy) => writeFileSync(join(copy, "e/f/new"), "theirs")],
  "a folder that was added": ["c/e/new", (copy) => mkdirSync(join(copy, "e/new"))],
  "a link that was added": ["c/new", (copy) => symlinkSync("x", join(copy, "new"))],
};

test.each(Object.entries(REFUSED))("a copied tree with %s is not removed by an undo", async (_, [where, deed]) => {
  const { root, files } = await copied();
  deed(join(root, "c"));
  expect(await failure(files.undo(undefined, me))).toEqual({
    code: "STALE_FILE",
    message: `${root}/${where} was changed or added since, so nothing was undone`,
    hint: "Another program changed it: read it and change it by hand.",
  });
  expect(existsSync(join(root, where))).toBe(true);
});

test("what loses nothing is in no undo's way", async () => {
  for (const deed of [
    () => {},
    (copy: string) => chmodSync(join(copy, "x"), 0o600),
    (copy: string) => utimesSync(join(copy, "e/y"), 1, 1),
    (copy: string) => rmSync(join(copy, "e/y")),
    (copy: string) => (writeFileSync(join(copy, "new"), ""), rmSync(join(copy, "new"))),
  ]) {
    const { root, files } = await copied();
    deed(join(root, "c"));
    await files.undo(undefined, me);
    expect(readdirSync(root)).toEqual(["d"]);
  }
});

test("the session's own later changes are taken back first, as the hint says", async () => {
  const { root, files } = await copied();
  const copy = await failure(files.undo("U_none", me));
  const id = /\bu\d{9}\b/.exec(copy.hint ?? "")?.[0];
  await files.write("c/x", Buffer.from("mine"), { ...me, mode: "rewrite" });
  await files.write("c/e/y", Buffer.from("mine"), { ...me, mode: "append" });
  await files.makeFolders("c/e/g", me);
  const { hint = "" } = await failure(files.undo(id, me));
  expect(hint).toMatch(/^Undo u\d{9} first, then u\d{9} again\.$/);
  for (let left = 4; left > 0; left--) await files.undo(undefined, me);
  expect(readdirSync(root)).toEqual(["d"]);
});

test("a copied file that was changed since stays", async () => {
  const { root, files } = site();
  plant(root, { f: "old" });
  await files.copy("f", "c", me);
  appendFileSync(join(root, "c"), " and theirs");
  expect(await failure(files.undo(undefined, me))).toMatchObject({
    code: "STALE_FILE",
    message: `${root}/c was changed since, so nothing was undone`,
  });
  writeFileSync(join(root, "c"), "old");
  await files.undo(undefined, me);
  expect([existsSync(join(root, "c")), readFileSync(join(root, "f"), "utf8")]).toEqual([false, "old"]);
});

test("of a large tree it is enough to know when it was copied", async () => {
  const { root, files } = site();
  for (let nth = 0; nth < 2010; nth++) mkdirSync(join(root, `d/${nth % 10}/${nth}`), { recursive: true });
  plant(root, { "d/3/x": "x" });
  await files.copy("d", "c", me);
  writeFileSync(join(root, "c/3/x"), "theirs");
  expect((await failure(files.undo(undefined, me))).message).toContain(`${root}/c/3/x was changed since`);
  rmSync(join(root, "c/3/x"));
  mkdirSync(join(root, "c/4/one"));
  mkdirSync(join(root, "c/4/two"));
  expect((await failure(files.undo(undefined, me))).message).toContain(`${root}/c holds more than was copied`);
  for (const name of ["one", "two"]) rmSync(join(root, "c/4", name), { recursive: true });
  await files.undo(undefined, me);
  expect(readdirSync(root)).toEqual(["d"]);
});
