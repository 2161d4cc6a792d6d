import { lstatSync, mkdirSync, readFileSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HardLinks } from "../../src/copy/hard-links.js";
import { hold, runHere, statOf } from "../run-here.js";
import { freshDir, plant } from "../tree.js";

const twice = (path: string) => ({ ...statOf(path), nlink: 2n });

function copied() {
  const dir = plant(freshDir(), { "copy/a/first": "content", "copy/b/x": "", "outside/first": "SECRET" });
  const top = hold(join(dir, "copy"));
  const names = new HardLinks(top, statOf(join(dir, "copy")));
  const source = twice(join(dir, "copy/b/x"));
  names.remember(source, () => ["a", "first"], statOf(join(dir, "copy/a/first")));
  const link = () => runHere(names.link(source, { folder: hold(join(dir, "copy/b")), name: "second" }));
  return { dir, link, names };
}

test("the first copy of a file gets its other names as well", async () => {
  const { dir, link } = copied();
  expect(await link()).toBe(true);
  expect(lstatSync(join(dir, "copy/b/second")).ino).toBe(lstatSync(join(dir, "copy/a/first")).ino);
});

test("a file that is met for the first time, or has one name, has no first copy", async () => {
  const { dir, names } = copied();
  const to = { folder: hold(join(dir, "copy/b")), name: "second" };
  expect(await runHere(names.link(twice(join(dir, "outside/first")), to))).toBe(false);
  expect(await runHere(names.link(statOf(join(dir, "copy/b/x")), to))).toBe(false);
});

test("what was swapped in for the first copy gets no other name", async () => {
  const { dir, link } = copied();
  writeFileSync(join(dir, "next"), "other");
  renameSync(join(dir, "next"), join(dir, "copy/a/first"));
  expect([await link(), readdirSync(join(dir, "copy/b"))]).toEqual([false, ["x"]]);
  expect(readFileSync(join(dir, "copy/a/first"), "utf8")).toBe("other");
});

test("a link that was swapped in on the way leads nowhere", async () => {
  const { dir, link } = copied();
  renameSync(join(dir, "copy/a"), join(dir, "aside"));
  symlinkSync("../outside", join(dir, "copy/a"));
  expect([await link(), readdirSync(join(dir, "copy/b"))]).toEqual([false, ["x"]]);
  expect(lstatSync(join(dir, "outside/first")).nlink).toBe(1);
  mkdirSync(join(dir, "gone"));
  renameSync(join(dir, "copy/a"), join(dir, "gone/a"));
  expect(await link()).toBe(false);
});
