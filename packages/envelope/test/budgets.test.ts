import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { settingsOf, type McpInput } from "@llmc/config";
import { estimateTokens } from "@llmc/toolkit";
import { describe, expect, test } from "vitest";
import { teRun } from "../src/tools/te-run.js";
import { freshFolder, openStage } from "./stage.js";

const TOKENS = 100_000;
const NIGHT = { budgetProfile: "night", session: "s1" };

function stage(te: McpInput["te"] = { budgets: { night: { tokens: TOKENS } } }) {
  const root = freshFolder();
  const { ops, prints } = openStage({ root, config: settingsOf({ roots: [root], mcp: { te } }) });

  /** Spends so much of the budget, told raw and in parts, because an answer has its own bounds. */
  async function spend(share: number): Promise<void> {
    for (;;) {
      const { telemetry } = await ops.call("te_run", { command: prints("a b\n") }, NIGHT);
      const left = (telemetry.budget_remaining ?? 0) - TOKENS * (1 - share);
      if (left <= 0) return;
      await ops.call("te_run", { command: prints(words(Math.min(left, 4_000))), raw: true }, NIGHT);
    }
  }

  async function answer(command: string[], options = {}) {
    const result = await ops.call("te_run", { command, ...options }, NIGHT);
    return { result, text: teRun.render?.(result, { command }, new Set()) ?? "" };
  }

  return { root, ops, prints, spend, answer };
}

function words(tokens: number): string {
  return `${Array.from({ length: Math.ceil(tokens / 11) }, () => "one two six ten red dog cat sun sky sea").join("\n")}\n`;
}

const names = Array.from({ length: 40 }, (_, at) => `reads_${at}`);
const FAILURES = [
  "running 940 tests",
  ...Array.from({ length: 900 }, (_, at) => `test passes_${at} ... ok`),
  ...names.map((name) => `test ${name} ... FAILED`),
  ...["", "failures:", ""],
  ...names.flatMap((name, at) => [
    `---- ${name} stdout ----`,
    `thread '${name}' panicked at src/part_${at}.rs:${at + 7}:5:`,
    ...Array.from({ length: 4 }, (_, n) => `the ${n}th remark of ${name} is of the kind ${"abcdefgh"[(at + n) % 8]}`),
    "",
  ]),
  ...["failures:", ...names.map((name) => `    ${name}`), ""],
  "test result: FAILED. 900 passed; 40 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
  "",
].join("\n");

test("without a profile nothing is counted", async () => {
  const { ops, prints } = stage();
  const { telemetry, enrichment } = await ops.call("te_run", { command: prints("hello\n") });
  expect([telemetry.budget_remaining, enrichment.marker]).toEqual([null, null]);
});

test("the tokens of each text are taken off the budget of the session that named it, down to zero", async () => {
  const { ops, prints, answer } = stage({ budgets: { night: { tokens: 30 } } });
  const command = prints("one two three four five six\n");
  const { result, text } = await answer(command);
  const left = 30 - estimateTokens(text);
  expect(result.telemetry.budget_remaining).toBe(left);
  expect(estimateTokens(text)).toBeGreaterThan(5);

  const other = await ops.call("te_run", { command }, { ...NIGHT, session: "s2" });
  expect(other.telemetry.budget_remaining).toBe(left);
  for (let calls = 0; calls < 4; calls += 1) await answer(command);
  expect((await answer(command)).result.telemetry.budget_remaining).toBe(0);
});

test("a profile that the operator did not set up is told, and bounds nothing", async () => {
  const { ops, prints } = stage();
  const call = { ...NIGHT, budgetProfile: "toString" };
  const { telemetry, enrichment, exit_code } = await ops.call("te_run", { command: prints("hello\n") }, call);
  expect(exit_code).toBe(0);
  expect([telemetry.budget_remaining, enrichment.marker]).toEqual([null, 'no budget is named "toString"']);
});

describe("the less of a budget is left, the less is told", () => {
  test("but always how the command ended, each failing test and each place, and where the rest is", async () => {
    const { ops, prints, spend, answer } = stage();
    const facts = [
      "exit 101",
      "900 passed; 40 failed",
      ...names,
      ...names.map((_, at) => `src/part_${at}.rs:${at + 7}`),
    ];
    const sizes = [];
    for (const [share, said] of [
      [0, /^\[exit 101 · [^·]*\]\n/],
      [0.8, /^\[exit 101 · .* · budget night 8\d % used: half of an answer\]\n/],
      [0.9, /^\[exit 101 · .* · budget night 9\d % used: a quarter of an answer\]\n/],
      [1, /^\[exit 101 · .*linux_handle_read h\d{6} match · budget night 100 % used: a summary and the handle\]\n/],
    ] as const) {
      await spend(share);
      const { result, text } = await answer(prints(FAILURES, { code: 101 }));
      expect(text).toMatch(said);
      expect(facts.filter((fact) => !text.includes(fact))).toEqual([]);
      sizes.push(estimateTokens(text));
      const handle = result.enrichment.handle ?? "";
      const { data } = await ops.call("linux.handle_read", { handle, match: "passes_17 " }, { session: "s1" });
      expect(data).toContain("passes_17 ");
    }
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(new Set(sizes).size).toBe(sizes.length);
  });

  test("an output that would stay whole is a summary with a handle too, and a small or raw one is not", async () => {
    const { prints, spend, answer } = stage();
    await spend(1);
    const plain = Array.from({ length: 200 }, (_, at) => `remark ${at} is of the kind ${"abcdefgh"[at % 8]}`);
    const command = prints(`${plain.join("\n")}\n`);
    const { result, text } = await answer(command);
    expect(result.enrichment.truncated).toBe(true);
    expect(text).toMatch(/^\[198 lines cut: linux_handle_read h\d{6} match · budget night 100 % used/);
    expect(text.split("\n").slice(1)).toEqual([plain[0], plain.at(-1), ""]);

    expect((await answer(command, { raw: true })).text).toContain(plain.join("\n"));
    expect((await answer(prints("small\n"))).text).toBe("[budget night 100 % used: a summary and the handle]\nsmall\n");
  });

  test("where diagnostics stand below the path of their file, a summary keeps both", async () => {
    const { root, prints, spend, answer } = stage();
    const lines = Array.from(
      { length: 200 },
      (_, at) => `src/a${at % 10}.c:${at}:5: warning: unused variable 'long_name_${at}' [-Wunused-variable]`,
    );
    await spend(1);
    prints(`${lines.join("\n")}\nmake: *** [all] Error 2\n`);
    writeFileSync(join(root, "make"), "#!/bin/sh\ncat out\nexit 2\n", { mode: 0o755 });
    const { text } = await answer(["./make"]);
    const told = text.split("\n");
    const first = told.findIndex((line) => line.trim() === "src/a3.c");
    // The digest itself names the first twenty.
    expect(told[first + 1]).toBe("  3, 13");
    expect(text).not.toContain("long_name_3");
    expect(text).toContain("make: *** [all] Error 2");
  });

  test("where each line has a place, a summary tells the places alone", async () => {
    const { prints, spend, answer } = stage();
    const lines = Array.from({ length: 60 }, (_, at) => `src/a${at}.c:${at}: some long remark about part ${at}`);
    await spend(1);
    const { text } = await answer(prints(`first\n${lines.join("\n")}\nlast\n`));
    const places = lines.map((_, at) => `src/a${at}.c:${at}`);
    expect(text.split("\n").slice(1)).toEqual(["first", `  ${places.join(", ")}`, "last", ""]);
  });
});
