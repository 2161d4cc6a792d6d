import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../src/workspace.js";

const DOCUMENT = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");

/** Rows `| step | file:function |` of the tables, as [file, function]. */
const steps = [...DOCUMENT.matchAll(/^\|[^|]+\| `([^`:]+):(\w+)` +\|$/gm)].map(
  ([, file = "", name = ""]) => [file, name] as const,
);
const named = [...DOCUMENT.matchAll(/`((?:packages|apps)\/[^`:]+)(?::\w+)?`/g)].map(([, path = ""]) => path);
const pages = [...DOCUMENT.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, path = ""]) => join("docs", path));

/** A line that begins the function, method, property or constant of that name: a call or a comment does not count. */
function declares(source: string, name: string): boolean {
  const top = String.raw`(?:export )?(?:async )?(?:function\*? |const )${name}\b`;
  const member = String.raw`(?:static |async )*\*?${name}(?:<[^>]*>)?(?:: \(|\(.*(?:\{|\($)|\($)`;
  return new RegExp(String.raw`^ *(?:${top}|${member})`, "m").test(source);
}

test("the three calls have ten to seventeen steps each", () => {
  const tables = DOCUMENT.split(/^### /m).filter((part) => /^\| step +\| file:function/m.test(part));
  const counts = tables.map((table) => table.match(/^\|.*`[^`:]+:\w+`/gm)?.length ?? 0);

  expect(counts).toHaveLength(3);
  expect(counts.every((count) => count >= 10 && count <= 17)).toBe(true);
  expect(steps).toHaveLength(counts.reduce((sum, count) => sum + count, 0));
});

test.for(steps)("%s has the function %s that the document names", ([file, name]) => {
  expect(declares(readFileSync(join(ROOT, file), "utf8"), name)).toBe(true);
});

test("every file and page that the document names exists", () => {
  expect([...named, ...pages].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
