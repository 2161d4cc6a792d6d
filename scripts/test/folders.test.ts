import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSources } from "../src/house/sources.js";
import { tables } from "../src/tables.js";
import { ROOT } from "../src/workspace.js";

/** Packages whose folders still import each other. This list only shrinks: make the order, then add the row. */
const STILL_WITHOUT_ROW: readonly string[] = [];

/** A package of so many files can be read without an order. */
const FEW = 8;

const { APPS, FOLDERS } = tables;
const srcOf = (name: string) => join(ROOT, APPS.includes(name) ? "apps" : "packages", name, "src");

function foldersOf(name: string): string[] {
  const entries = readdirSync(srcOf(name), { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).toSorted();
}

describe.for(Object.entries(FOLDERS))("the row of %s", ([name, entries]) => {
  test("names only folders and root files that exist, each once", () => {
    expect(entries.filter((entry) => !existsSync(join(srcOf(name), entry)))).toEqual([]);
    expect(new Set(entries).size).toBe(entries.length);
  });

  test("names every folder", () => {
    expect(entries.filter((entry) => !entry.endsWith(".ts")).toSorted()).toEqual(foldersOf(name));
  });
});

test("every package of more than eight files has a row", () => {
  const large = readSources()
    .filter(({ files }) => files.length > FEW)
    .map(({ dir }) => dir.replace(/^.*\//, ""));

  expect(large.filter((name) => FOLDERS[name] === undefined).toSorted()).toEqual(STILL_WITHOUT_ROW);
});
