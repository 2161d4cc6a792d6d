import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { digest } from "../src/digest/digest.js";
import { RECOGNISERS } from "../src/recognise/recognisers.js";

const FOLDER = join(import.meta.dirname, "golden");

interface Recorded {
  readonly command: string;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const NAMES = readdirSync(FOLDER).flatMap((name) => (name.endsWith(".json") ? [name.slice(0, -5)] : []));

test.each(NAMES)("%s is told as it was reviewed", async (name) => {
  const { command, code, stdout, stderr } = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8")) as Recorded;
  const told = digest({ command, stdout, stderr, exitCode: code }, RECOGNISERS);
  const text =
    told === undefined
      ? "as it is\n"
      : `${told.recogniser ?? "general"}: ${told.leftOut} of ${told.lines} lines left out\n\n${told.stdout}\n[stderr]\n${told.stderr}`;
  await expect(text).toMatchFileSnapshot(join(FOLDER, `${name}.txt`));
  expect(digest({ command, stdout, stderr, exitCode: code }, RECOGNISERS)).toEqual(told);
});

/** Lines that must stay, whatever else changes in a grammar. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  pytest: ["tests/test_cart.py::test_discount[20]", "tests/test_cart.py:13", "ValueError: not enough values to unpack"],
  unittest: ["FAIL: test_two"],
  "node-test": ["not ok 31 - takes a discount", "cart.test.mjs:4:", "# fail 2"],
  "node-spec": ["✖ takes a discount", "cart.test.mjs:4:", "ℹ fail 2"],
  "cargo-test": ["---- tests::adds_many stdout ----", "src/lib.rs:", "unused variable: `unused`", "1 failed"],
  make: ["main.c:2", "main.c:6", "unused variable", "implicit declaration of function"],
  tsc: ["ts/a.ts(", "missing"],
  journal: ["ERROR price list 17 is gone", "Out of memory: Killed process 4242"],
  json: ["disputed", "80 items"],
};

test.each(Object.entries(KEPT))("of %s every failure and rare line is told", (name, kept) => {
  const { command, code, stdout, stderr } = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8")) as Recorded;
  const told = digest({ command, stdout, stderr, exitCode: code }, RECOGNISERS) ?? { stdout, stderr };
  for (const line of kept) expect(told.stdout + told.stderr).toContain(line);
});
