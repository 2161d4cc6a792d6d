import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { TE } from "./processes.js";

const STATIC = /(?:^|;|\n)\s*(?:import|export)\s*(?:[^"'`;()]*?from\s*)?["'`](\.\/[^"'`]+)["'`]/g;

/** Characters that Node reads before a command starts. */
function sizeOf(file: string, seen = new Set<string>()): number {
  if (seen.has(file)) return 0;
  seen.add(file);
  const text = readFileSync(file, "utf8");
  const imports = [...text.matchAll(STATIC)].map(([, path = ""]) => join(dirname(file), path));
  return imports.reduce((sum, path) => sum + sizeOf(path, seen), text.length);
}

test("before the command starts te loads little: no configuration, no database, no grammar", () => {
  const size = sizeOf(TE);
  expect(size).toBeGreaterThan(10_000);
  expect(size).toBeLessThan(60_000);
});
