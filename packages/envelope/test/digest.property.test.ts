import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { estimateTokens } from "@llmc/toolkit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { digest } from "../src/digest/digest.js";
import { RECOGNISERS } from "../src/recognise/recognisers.js";

const FOLDER = join(import.meta.dirname, "golden");
const recorded = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".json"))
  .map(
    (name) =>
      JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as { command: string; stdout: string; stderr: string },
  );
const LINES = [...new Set(recorded.flatMap(({ stdout, stderr }) => `${stdout}\n${stderr}`.split("\n")))];

/** Lines of real outputs in any order, and lines of anything. */
const lines = fc.array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...LINES) }, fc.string({ maxLength: 200 })), {
  maxLength: 120,
});
const text = lines.map((all) => all.join("\n"));
const command = fc.oneof(fc.constantFrom(...recorded.map((each) => each.command)), fc.string({ maxLength: 60 }));
const exitCode = fc.constantFrom(0, 1, 2, 127, 137, null);

test.each(RECOGNISERS.map(({ name, grammar }) => [name, grammar] as const))(
  "%s shows lines of the output and lines that are marked as made, and no others",
  (_, grammar) => {
    fc.assert(
      fc.property(lines, fc.boolean(), (all, failed) => {
        const known = new Set(all);
        for (const piece of grammar(all, { failed }) ?? [])
          if (piece.isMade !== true) expect(known).toContain(piece.text);
      }),
      { numRuns: 40 },
    );
  },
);

test("a digest saves a quarter and 100 tokens, is the same each time, and no error", () => {
  fc.assert(
    fc.property(command, text, text, exitCode, (line, stdout, stderr, code) => {
      const output = { command: line, stdout, stderr, exitCode: code };
      const told = digest(output, RECOGNISERS);
      expect(digest(output, RECOGNISERS)).toEqual(told);
      if (told === undefined) return;
      const [before, after] = [
        estimateTokens(stdout) + estimateTokens(stderr),
        estimateTokens(told.stdout) + estimateTokens(told.stderr),
      ];
      expect(before - after).toBeGreaterThanOrEqual(Math.max(100, before / 4));
      expect(stdout.length + stderr.length).toBeGreaterThanOrEqual(1024);
      expect(told.leftOut).toBeLessThanOrEqual(told.lines);
    }),
    { numRuns: 300 },
  );
});

const SELECTED = ["| head -50", "| tail -n 3", "| grep x", "| sort | uniq -c", "| jq ."];
const EXACT = [
  "git status --porcelain",
  "git log --oneline",
  "git diff --stat",
  "npm ls --json",
  "rg --json x",
  "docker ps --format '{{.Names}}'",
  "kubectl get pods -o yaml",
  "git format-patch --stdout -1",
  "find . -print0",
  "jq -r .a x.json",
  "sed -n 1,200p x",
];

test.each([...SELECTED.map((end) => `pytest ${end}`), ...EXACT])("%s stays as it is", (line) => {
  const stdout = recorded.map((each) => each.stdout).join("\n");
  expect(digest({ command: line, stdout, stderr: "", exitCode: 0 }, RECOGNISERS)).toBeUndefined();
});

test("the last lines of a failure that no grammar can read are told", () => {
  const noise = Array.from({ length: 200 }, (_, at) => `test part_${at} ... ok`).join("\n");
  const end = ["thread main overflowed", "its stack", "fatal runtime"].join("\n");
  const told = digest(
    {
      command: "cargo test",
      stdout: `running 200 tests\n${noise}\n${end}\n`,
      stderr: "",
      exitCode: 134,
    },
    RECOGNISERS,
  );
  expect(told?.stdout).toContain(end);
});
