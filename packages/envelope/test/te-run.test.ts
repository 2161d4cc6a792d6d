import { settingsOf, type McpInput } from "@llmc/config";
import { describe, expect, test } from "vitest";
import { teRun } from "../src/tools/te-run.js";
import { openStage } from "./stage.js";

const LONG = Array.from({ length: 400 }, (_, at) => `step ${at} of the build of part ${at} is done`).join("\n");

test("a short output is the text, without a header", async () => {
  const { ops, prints } = openStage();
  const result = await ops.call("te_run", { command: prints("hello\n") });
  expect(result).toMatchObject({ success: true, mode: "passthrough", stdout: "hello\n", stderr: "", exit_code: 0 });
  expect(result.enrichment).toMatchObject({ truncated: false, handle: null });
  expect(teRun.render?.(result, { command: "x" }, new Set())).toBe("hello\n");
});

test("nothing printed is said, and so is a failure", async () => {
  const { ops, prints } = openStage();
  const text = async (command: string[]) =>
    teRun.render?.(await ops.call("te_run", { command }), { command }, new Set());
  expect(await text(prints(""))).toBe("[exit 0]\n");
  expect(await text(prints("out\n", { stderr: "bad\n", code: 3 }))).toBe("[exit 3]\nout\n[stderr]\nbad\n");
});

test("a long output is shortened, and stands whole behind the handle that the first line names", async () => {
  const { ops, prints } = openStage();
  const raw = [
    "test a ... ok",
    ...Array.from({ length: 300 }, (_, at) => `test number_${at} ... ok`),
    "test bad ... FAILED",
    "",
    "failures:",
    "",
    "---- bad stdout ----",
    "",
    "thread 'bad' panicked at src/lib.rs:7:5:",
    "assertion `left == right` failed",
    "  left: 1",
    " right: 2",
    "",
    "failures:",
    "    bad",
    "",
    "test result: FAILED. 301 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
    "",
  ].join("\n");
  const result = await ops.call("te_run", { command: prints(`running 302 tests\n${raw}`, { code: 101 }) });
  const text = teRun.render?.(result, { command: "x" }, new Set()) ?? "";
  expect(text).toMatch(/^\[exit 101 · \d+ lines cut: linux_handle_read h\d{6} match\]\n/);
  expect(text).toContain("panicked at src/lib.rs:7:5");
  expect(text).not.toContain("number_17");
  const handle = result.enrichment.handle ?? "";
  const { data } = await ops.call("linux.handle_read", { handle, match: "number_17 " });
  expect(data).toBe("20: test number_17 ... ok\n");
});

describe("the caller's choice", () => {
  test.each([["raw"], ["an exact form"]])("%s is not touched", async (how) => {
    const { ops, root } = openStage();
    const { writeFileSync } = await import("node:fs");
    writeFileSync(`${root}/log`, `${LONG}\n`);
    const command = how === "raw" ? "cat log" : "cat log | head -n 300";
    const result = await ops.call("te_run", { command, raw: how === "raw" });
    expect(result.stdout).toBe(how === "raw" ? `${LONG}\n` : `${LONG.split("\n").slice(0, 300).join("\n")}\n`);
    expect(result.mode).toBe(how === "raw" ? "raw" : "passthrough");
  });
});

test("escape sequences leave the text and stay in a payload that is not shortened", async () => {
  const { ops, prints } = openStage();
  const result = await ops.call("te_run", { command: prints("\u001b[31mred\u001b[0m\n10%\r20%\r100%\n") });
  expect(result.stdout).toBe("\u001b[31mred\u001b[0m\n10%\r20%\r100%\n");
  expect(teRun.render?.(result, { command: "x" }, new Set())).toBe("red\n100%\n");
});

test("with the envelope off te_run answers raw and run_cmd is listed in its place", async () => {
  const listed = (te: McpInput["te"]) => {
    const config = settingsOf({ roots: [], mcp: { te } });
    return openStage({ config })
      .ops.tools.map(({ name }) => name)
      .filter((name) => /^(?:te_run|run_cmd)$/.test(name));
  };
  expect(listed({})).toEqual(["te_run"]);
  expect(listed({ enabled: false })).toEqual(["run_cmd"]);
});

test("above the budget the middle is left out, and its lines are named", async () => {
  const { ops, prints } = openStage();
  const lines = Array.from({ length: 6000 }, (_, at) => `${at} ${"abcdefgh".slice(at % 8)} ${at * 7919}`);
  const result = await ops.call("te_run", { command: prints(`${lines.join("\n")}\n`), raw: true });
  const [, from = "", to = ""] =
    /^\d+ lines, cut: linux_handle_read h\d{6} lines=(\d+)-(\d+)$/.exec(result.enrichment.marker ?? "") ?? [];
  const { data } = await ops.call("linux.handle_read", {
    handle: result.enrichment.handle ?? "",
    lines: `${from}-${from}`,
  });
  expect(data).toBe(`${lines[Number(from) - 1]}\n`);
  expect(result.stdout).toContain(`${lines[Number(to)]}\n`);
  expect(result.stdout).not.toContain(`\n${lines[Number(to) - 1]}\n`);
});
