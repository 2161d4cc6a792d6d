import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "@llmc/config";
import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { digest } from "../src/digest/digest.js";
import { compileFile } from "../src/filters/compile.js";
import { checkFilters } from "../src/index.js";
import { RECOGNISERS } from "../src/recognise/recognisers.js";
import { teRun } from "../src/tools/te-run.js";
import { freshFolder, openStage } from "./stage.js";

const NOISE = `[[filter]]
name = "noise"
command = "out"
drop = ["^noise \\\\d+$", "(?i)progress"]

[[filter.example]]
input = "noise 1\\nkept\\nin PROGRESS\\n"
shown = "kept\\n"
`;
const LINES = Array.from({ length: 200 }, (_, at) => (at % 2 === 0 ? `noise ${at}` : `a remark about part ${at}`));

interface Run {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

const line = fc.constantFrom(
  ...["noise 1", "in progress", "src/a.c:12:5: error: bad", "test a ... ok", "test b ... FAILED", "[exit 0]"],
  ...["test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out", "", "  indented"],
  "x".repeat(90),
);
/** Some lines are repeated, so that some outputs are shortened without a filter too. */
const stream = fc
  .array(fc.tuple(line, fc.constantFrom(1, 1, 1, 2, 30)), { maxLength: 25 })
  .map((lines) => lines.map(([text, times]) => `${text}\n`.repeat(times)).join(""));

/** The library as a person with these filter files starts it; the config file lies elsewhere. */
async function stage(files: Readonly<Record<string, string>>) {
  const [root, home] = [freshFolder(), freshFolder()];
  const folder = join(home, "xdg", "llmc", "filters");
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  writeFileSync(join(home, "llmc.toml"), "[mcp]\n");
  mkdirSync(join(root, "filters"));
  writeFileSync(
    join(root, "filters", "project.toml"),
    NOISE.replace('"^noise', '"^a remark').replace(/\n\[\[filter.ex[^]*/, ""),
  );
  const env = { XDG_CONFIG_HOME: join(home, "xdg") };
  const config = await loadConfig({ env, home, cwd: root, file: join(home, "llmc.toml"), roots: [root] });
  return { ...openStage({ root, config }), config, folder };
}

describe("a filter", () => {
  test("leaves its lines out, which are counted and stand behind the handle", async () => {
    const { ops, prints } = await stage({ "a.toml": NOISE });
    const command = prints(`${LINES.join("\n")}\n`, { stderr: "noise 7\n", code: 3 });
    const result = await ops.call("te_run", { command });
    const text = teRun.render?.(result, { command }, new Set()) ?? "";

    expect(result).toMatchObject({ exit_code: 3, mode: "enriched", stderr: "noise 7\n" });
    expect(result.stdout).toBe(`${LINES.filter((_, at) => at % 2 === 1).join("\n")}\n`);
    expect(text).toMatch(/^\[exit 3 · 100 lines cut: linux_handle_read h\d{6} match\]\n/);
    const handle = result.enrichment.handle ?? "";
    const { data } = await ops.call("linux.handle_read", { handle, match: "noise 42" });
    expect(data).toBe("43: noise 42\n");
  });

  test("acts before the grammar", async () => {
    const { ops, prints } = await stage({ "a.toml": NOISE });
    const tests = Array.from({ length: 200 }, (_, at) => `test passes_${at} ... ok`).join("\n");
    const total = "test result: FAILED. 200 passed; 1 failed; 0 ignored";
    const output = `running 201 tests\n${tests}\ntest bad ... FAILED\n\nfailures:\n\n---- bad stdout ----\nnoise 5\nthe reason\n\n${total}\n`;
    const { stdout, enrichment } = await ops.call("te_run", { command: prints(output, { code: 101 }) });
    expect(enrichment.recogniser).toBe("cargo test");
    expect(stdout).toContain("the reason");
    expect(stdout).not.toContain("noise 5");
  });

  test.each([
    ["raw output", { raw: true }, "out", 200],
    ["an exact form", {}, "out | head -n 150", 150],
    ["a small output", {}, "out | tail -n +1 > small; head -c 900 small > out; cat out", 0],
    ["another command", {}, "other", 200],
  ])("does not touch %s", async (_, options, name, lines) => {
    const { ops, prints } = await stage({ "a.toml": NOISE });
    const text = `${LINES.join("\n")}\n`;
    const shown = lines === 0 ? text.slice(0, 900) : `${LINES.slice(0, lines).join("\n")}\n`;
    prints(lines === 0 ? shown : text);
    const [, rest = ""] = /^out(.*)$/.exec(name) ?? [];
    const command = name === "other" ? "cat o[u]t" : lines === 0 ? "cat out" : `cat out${rest}`;
    const { stdout } = await ops.call("te_run", { command, ...options });
    expect(stdout).toBe(shown);
  });

  test("never changes the exit code, the verdict or stderr", async () => {
    const plain = openStage();
    const drop = NOISE.replace("(?i)progress", "exit|error|FAILED|result|^$").replace(/\n\[\[filter.ex[^]*/, "");
    const filtered = await stage({ "a.toml": drop });
    const answers = async ({ ops, prints }: Pick<typeof plain, "ops" | "prints">, run: Run) => {
      const command = prints(run.stdout, run);
      const result = await ops.call("te_run", { command });
      const [header = ""] = (teRun.render?.(result, { command }, new Set()) ?? "").split("\n");
      const { success, exit_code, stderr } = result;
      return { success, exit_code, stderr, verdict: /^\[exit \d+/.exec(run.code === 0 ? "" : header)?.[0] };
    };
    await fc.assert(
      fc.asyncProperty(fc.record({ stdout: stream, stderr: stream, code: fc.constantFrom(0, 1, 101) }), async (run) => {
        expect(await answers(filtered, run)).toEqual(await answers(plain, run));
      }),
      { numRuns: 25 },
    );
  });

  test("never changes what is told of stderr", () => {
    const pattern = fc.constantFrom("^noise", "progress", "error|FAILED", ".", "^$", "test");
    fc.assert(
      fc.property(stream, stream, pattern, fc.constantFrom(0, 1), (stdout, stderr, drop, exitCode) => {
        const output = { command: "make", stdout, stderr, exitCode };
        const filters = [{ name: "any", command: ".", drop: [drop], example: [] }];
        const [filter] = compileFile({ path: "", problem: null, filters });
        const told = digest(output, RECOGNISERS, { drops: filter?.drops });
        expect(told?.stderr ?? stderr).toBe(digest(output, RECOGNISERS)?.stderr ?? stderr);
      }),
      { numRuns: 500 },
    );
  });
});

describe("a broken file is skipped with one line that names it, and the others apply:", () => {
  test.each([
    ["no TOML", "[[filter", /a\.toml:1: not valid TOML/],
    ["an unknown key", NOISE.replace("drop =", "dropp ="), /a\.toml: filter 1: .*/],
    ["no filters", "", /a\.toml: .*filter/],
    [
      "a bad pattern",
      NOISE.replace("(?i)progress", "(progress"),
      /a\.toml: filter noise: "\(progress" is no pattern: .*missing closing \)/,
    ],
    [
      "a pattern that is not linear",
      NOISE.replace("(?i)progress", "(?=a)"),
      /a\.toml: filter noise: "\(\?=a\)" is no pattern/,
    ],
    [
      "an example that does not come out",
      NOISE.replace('shown = "kept', 'shown = "other'),
      /a\.toml: filter noise: example 1 is shown as "kept"/,
    ],
  ])("%s", async (_, content, problem) => {
    const { ops, prints, config, folder } = await stage({ "a.toml": content, "b.toml": NOISE, "c.txt": "[[" });
    const { stdout } = await ops.call("te_run", { command: prints(`${LINES.join("\n")}\n`) });
    expect(stdout).not.toContain("noise 42");

    const told = async () => [...config.warnings, ...(await ops.call("health", {})).problems];
    await vi.waitFor(async () => expect((await told()).filter((line) => line.includes(folder))).toHaveLength(1));
    expect((await told()).join("\n")).toMatch(problem);
    expect(await checkFilters(config.filters)).toEqual([
      { path: join(folder, "a.toml"), names: expect.any(Array), problem: expect.stringMatching(problem) },
      { path: join(folder, "b.toml"), names: ["noise"], problem: null },
    ]);
  });
});

test("without a folder of filters there are none", async () => {
  const home = freshFolder();
  expect((await loadConfig({ env: {}, home, cwd: home })).filters).toEqual([]);
});
