import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readBytes, type Files } from "../../src/index.js";
import { displayPath } from "../../../names/src/path/names.js";
import { freshDir } from "../../../te-path/test/tree.js";
import { filesIn, text } from "../files.js";
import { byteNames } from "../../../names/test/path/byte-names.js";

const WANTED = { depth: 0, includeHidden: true, maxEntries: 1000, maxKeptBytes: 1_000_000, maxMs: 60_000 };
const ME = { owner: "me", session: "s1" };
/** Each with the names that it is shown as, and would be read as: those are what a wrong rule mistakes it for. */
const neighbours = fc
  .array(byteNames, { minLength: 1, maxLength: 3 })
  .map((names) => [
    ...new Set(names.flatMap((name) => [name, utf8(displayPath(name)), utf8(displayPath(utf8(displayPath(name))))])),
  ]);

function utf8(text: string): string {
  return Buffer.from(text).toString("latin1");
}

function raw(...names: readonly string[]): Buffer {
  return Buffer.from(names.join("/"), "latin1");
}

function namesIn(dir: string): string[] {
  return readdirSync(raw(dir), "latin1").toSorted();
}

/** Each file holds its own name. */
function fill(dir: string, names: readonly string[]): void {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  for (const name of names) writeFileSync(raw(dir, name), raw(name));
}

async function shownIn(files: Files, path: string): Promise<string[]> {
  const { folders } = await files.list(path, WANTED);
  return (folders[0]?.entries ?? []).map(({ name }) => name);
}

test("what a listing shows can be given back, and reaches just that file", { timeout: 60_000 }, async () => {
  const base = freshDir();
  const files = filesIn(base, { stateDir: freshDir() });
  const dir = join(base, "d");
  await fc.assert(
    fc.asyncProperty(neighbours, async (names) => {
      fill(dir, names);
      const shown = await shownIn(files, "d");
      expect(new Set(shown).size).toBe(names.length);
      for (const name of shown) {
        await using file = await files.open(`d/${name}`);
        const real = names.find((each) => displayPath(each) === name) ?? "";
        expect(await readBytes(file, { offset: 0, length: 1000 })).toEqual(raw(real));
        expect((await files.stat(`d/${name}`)).real).toBe(join(dir, name));
      }
      const [first = ""] = shown;
      const gone = names.filter((each) => displayPath(each) !== first).toSorted();
      const { undo } = await files.remove(`d/${first}`, ME);
      expect(namesIn(dir)).toEqual(gone);
      const { undone } = await files.undo(undo?.id, ME);
      expect(undone).toEqual([{ path: join(dir, first), how: "is back" }]);
      await files.write(`d/${first}`, Buffer.from("new"), { ...ME, mode: "rewrite" });
      expect(namesIn(dir)).toEqual(names.toSorted());
      expect(names.filter((each) => readFileSync(raw(dir, each), "latin1") === "new").map(displayPath)).toEqual([
        first,
      ]);
      await files.move(`d/${first}`, base, ME);
      expect([
        namesIn(dir),
        namesIn(base)
          .filter((each) => each !== "d")
          .map(displayPath),
      ]).toEqual([gone, [first]]);
      await files.remove(join(base, first), ME);
    }),
    { numRuns: process.env["LLMC_LONG"] === "1" ? 1000 : 40 },
  );
});

test("a folder's shown name leads into it, whatever lies beside it", { timeout: 60_000 }, async () => {
  const base = freshDir();
  const files = filesIn(base);
  await fc.assert(
    fc.asyncProperty(neighbours, async (names) => {
      rmSync(join(base, "d"), { recursive: true, force: true });
      mkdirSync(join(base, "d"));
      for (const [at, name] of names.entries()) {
        mkdirSync(raw(base, "d", name));
        writeFileSync(raw(base, "d", name, "\\xe9\xe9"), String(at));
      }
      for (const [at, name] of names.entries()) {
        expect(await shownIn(files, `d/${displayPath(name)}`)).toEqual(["\\x5cxe9\\xe9"]);
        expect(await text(files, `d/${displayPath(name)}/\\x5cxe9\\xe9`)).toBe(String(at));
      }
    }),
    { numRuns: 40 },
  );
});

test("the name of what is made is taken to the letter", { timeout: 60_000 }, async () => {
  const base = freshDir();
  const files = filesIn(base);
  const dir = join(base, "d");
  const typed = byteNames.map(displayPath).filter((name) => !name.includes("\0"));
  await fc.assert(
    fc.asyncProperty(typed, async (name) => {
      fill(dir, []);
      await files.write(`d/${name}`, Buffer.from("x"), { ...ME, mode: "rewrite" });
      expect(namesIn(dir)).toEqual([utf8(name)]);
      expect(await text(files, `d/${name}`)).toBe("x");
      await files.move(`d/${name}`, `d/m${name}`, ME);
      expect(namesIn(dir)).toEqual([utf8(`m${name}`)]);
      const { created } = await files.makeFolders(`d/${name}/${name}`, ME);
      expect(created).toEqual([`${dir}/${name}`, `${dir}/${name}/${name}`]);
      expect([namesIn(dir), readdirSync(raw(dir, utf8(name)), "latin1")]).toEqual([
        [utf8(name), utf8(`m${name}`)].toSorted(),
        [utf8(name)],
      ]);
    }),
    { numRuns: 40 },
  );
});

test("a root is read as its folder is shown; what is asked for by either spelling lies in it", async () => {
  const base = freshDir();
  for (const name of ["d\xe9", "d\\xe9"]) {
    mkdirSync(raw(base, name));
    writeFileSync(raw(base, name, "f\\xff"), displayPath(name));
  }
  for (const roots of [
    ["d\\xe9", "d\\x5cxe9"],
    ["d\\x5cxe9", "d\\xe9"],
  ]) {
    const files = filesIn(roots.map((name) => join(base, name)));
    expect(files.roots.map(({ path, real }) => [path, real])).toEqual(
      roots.map((name) => [join(base, name), join(base, name)]),
    );
    for (const name of roots) expect(await text(files, `${base}/${name}/f\\xff`)).toBe(name);
    expect(await text(files, "f\\x5cxff")).toBe(roots[0]);
  }
});

test("a diff names files as they are shown, or in quotes byte for byte, and makes new ones so", async () => {
  const base = freshDir();
  const files = filesIn(base, { stateDir: freshDir() });
  fill(join(base, "d"), ["a\xe9", "a\\xe9"]);
  for (const name of ["a\xe9", "a\\xe9"]) writeFileSync(raw(base, "d", name), "old\n");
  const options = { ...ME, maxBytes: 10_000, cwd: "d" };
  const change = (name: string) => `--- ${name}\n+++ ${name}\n@@ -1 +1 @@\n-old\n+${name}\n`;
  const diffs = [change("a\\xe9"), change('"a\\\\xe9"')];
  for (const diff of diffs) await files.applyDiff(diff, options);
  const content = () => ["a\xe9", "a\\xe9"].map((name) => readFileSync(raw(base, "d", name), "utf8"));
  expect(content()).toEqual(["a\\xe9\n", '"a\\\\xe9"\n']);
  const made = ['"b/n\\351"', "n\\xff", '"b/n\\\\xe0"'];
  const diff = made.map((name) => `--- /dev/null\n+++ ${name}\n@@ -0,0 +1 @@\n+new\n`).join("");
  const { undo } = await files.applyDiff(diff, options);
  expect(namesIn(join(base, "d"))).toEqual(["a\\xe9", "a\xe9", "n\\xe0", "n\\xff", "n\xe9"]);
  await files.undo(undo?.id, ME);
  expect(namesIn(join(base, "d"))).toEqual(["a\\xe9", "a\xe9"]);
});
