import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { layeredPackages, ROOT } from "../src/workspace.js";

const TSX = import.meta.resolve("tsx");

/** The first js block of each package's README: a program that prints the lines its comments promise. */
const examples = layeredPackages().flatMap(({ dir }) => {
  const readme = join(ROOT, dir, "README.md");
  const example = existsSync(readme) ? /```js\n([^]*?)```/.exec(readFileSync(readme, "utf8"))?.[1] : undefined;
  return example === undefined ? [] : [[dir, example] as const];
});

describe.for(examples)("the README of %s", ([dir, example]) => {
  test("has an example that prints what its comments promise", async () => {
    const words = ["--conditions=llmc-source", "--import", TSX, "--input-type=module", "--eval", example];
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: join(ROOT, dir), timeout: 25_000 });

    const promised = [...example.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map((match) => match[1]);
    expect(promised.length).toBeGreaterThan(0);
    expect(stdout.split("\n").filter(Boolean)).toEqual(promised);
  });
});

test("every package that came out of te-fs and te-shell has such an example", () => {
  const shown = examples.map(([dir]) => dir);
  const wanted = ["names", "patch", "te-path", "te-undo", "te-fs", "te-run"].map((name) => `packages/${name}`);

  expect(wanted.filter((dir) => !shown.includes(dir))).toEqual([]);
});
