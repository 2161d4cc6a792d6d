import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { demandDataDir } from "../src/index.js";

const folder = mkdtempSync(join(tmpdir(), "llmc-data-dir-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("the data dir is made with its parents, for this user alone", () => {
  const dir = join(folder, "state", "llmc");
  demandDataDir(dir);
  demandDataDir(dir);
  expect((statSync(dir).mode & 0o777).toString(8)).toBe("700");
});

test("where nothing is kept nothing is made", () => {
  expect(() => demandDataDir(null)).not.toThrow();
});

const REFUSED: readonly (readonly [what: string, dir: () => string, code: string])[] = [
  ["below /proc, where a recursive mkdir of Node never returns", () => "/proc/llmc/state", "ENOENT"],
  ["below a file", () => join(fileIn(folder), "state"), "ENOTDIR"],
  ["a file", () => fileIn(folder), "EEXIST"],
];

test.for(REFUSED)("%s it is refused with one line that names the way out", ([, dirOf, code]) => {
  const dir = dirOf();
  expect(() => demandDataDir(dir)).toThrow(
    `the data dir ${dir} cannot be written (${code}); --data-dir DIR names another`,
  );
});

function fileIn(parent: string): string {
  demandDataDir(parent);
  const file = join(parent, "file");
  writeFileSync(file, "");
  return file;
}
