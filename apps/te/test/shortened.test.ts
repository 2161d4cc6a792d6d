import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshHome, handleIn, SHORT_RUN, TEST_RUN, texts } from "./processes.js";

const LINES = Array.from({ length: 6000 }, (_, at) => `${at + 1} ${"abcdefgh".slice(at % 8)} ${at * 7919}\n`);

/** A home with a test run in a file, and a command that prints it and fails. */
function withTests() {
  const stage = freshHome();
  stage.file("run", TEST_RUN);
  return { ...stage, fails: ["sh", "-c", "cat run; exit 101"] };
}

test("in a pipe a long output is shortened, and its handle keeps all of it", async () => {
  const { te, fails } = withTests();
  const { code, stdout, stderr } = texts(await te(fails));
  expect([code, stderr]).toEqual([101, ""]);
  expect(stdout).toMatch(SHORT_RUN);
  expect(stdout).toContain("panicked at src/lib.rs:7:5");
  expect(stdout).not.toContain("number_17");
  expect(texts(await te(["--handle", handleIn(stdout)]))).toEqual({ code: 0, stdout: TEST_RUN, stderr: "" });
});

test("the header stands on stderr if stdout is empty", async () => {
  const { te } = withTests();
  const { stdout, stderr } = texts(await te(["dd if=run status=none >&2; exit 101"]));
  expect(stdout).toBe("");
  expect(stderr).toMatch(SHORT_RUN);
  expect(texts(await te(["--handle", handleIn(stderr)])).stdout).toBe(TEST_RUN);
});

test("a stream that is whole is not touched, so that a program can read it", async () => {
  const { te, fails } = withTests();
  const { stdout, stderr } = texts(await te(["sh", "-c", `echo 1.2.3; (${fails[2]}) >&2`]));
  expect(stdout).toBe("1.2.3\n");
  expect(stderr).toMatch(SHORT_RUN);
});

test("output with a NUL is to the byte", async () => {
  const { te } = withTests();
  const { stdout } = texts(await te(["sh", "-c", "seq 1 2000 | tr '\\n' '\\0'"]));
  expect(stdout.split("\0")).toHaveLength(2001);
});

test("the header of a success has no exit code", async () => {
  const { te, file } = freshHome();
  const passes = Array.from({ length: 300 }, (_, at) => `test number_${at} ... ok\n`).join("");
  file("tests", "#!/bin/sh\nexec cat run\n", 0o755);
  file("run", `running 300 tests\n${passes}\ntest result: ok. 300 passed; 0 failed; finished in 0.00s\n`);
  expect(texts(await te(["./tests"])).stdout).toMatch(
    /^\[(?:folded|\d+ lines? cut): te --handle h\d{6} --match RE\]\n/,
  );
});

test("the same output gives the same text but for the handle", async () => {
  const { te, fails } = withTests();
  const [first, second] = [texts(await te(fails)).stdout, texts(await te(fails)).stdout];
  expect(second.replace(handleIn(second), "")).toBe(first.replace(handleIn(first), ""));
});

test("above the budget the middle is left out, and its lines are named", async () => {
  const { te, file } = freshHome();
  file("lines", LINES.join(""));
  const { stdout } = texts(await te(["cat", "lines"]));
  const [, from = "", to = ""] = /^\[\d+ lines, cut: te --handle h\d{6} --lines (\d+)-(\d+)\]\n/.exec(stdout) ?? [];
  expect(Number(to)).toBeGreaterThan(Number(from));
  expect(stdout).toContain(`${LINES[Number(to)]}`);
  expect(stdout).not.toContain(`\n${LINES[Number(to) - 1]}`);
  const read = await te(["--handle", handleIn(stdout), "--lines", `${from}-${to}`]);
  expect(read.stdout.toString()).toBe(LINES.slice(Number(from) - 1, Number(to)).join(""));
  const less = texts(await te(["--budget", "300", "cat", "lines"])).stdout;
  expect(less.length).toBeLessThan(1500);
  expect(less).toContain("--lines");
});

test("--raw shortens nothing", async () => {
  const { te, file } = freshHome();
  file("lines", LINES.join(""));
  expect(texts(await te(["--raw", "cat", "lines"])).stdout).toBe(LINES.join(""));
});

test("an output above 2 MB is cut, and its handle keeps all of it", async () => {
  const { te, run } = freshHome();
  const direct = await run(["seq", "1", "500000"]);
  const { stdout } = texts(await te(["seq", "1", "500000"]));
  expect(stdout.length).toBeLessThan(30_000);
  expect((await te(["--handle", handleIn(stdout)])).stdout.equals(direct.stdout)).toBe(true);
});

test.each([
  ["the data dir cannot be made", { LLMC_DATA_DIR: "/proc/nowhere/state" }],
  ["the configuration is broken", { LLMC_CONFIG: "broken.toml" }],
  ["te is off", { LLMC_MCP__TE__ENABLED: "false" }],
  ["nothing is kept", { LLMC_MCP__DOCKER__PERSIST_TELEMETRY: "false" }],
  ["handles are smaller", { LLMC_MCP__HANDLES__MAX_PAYLOAD_BYTES: "1024" }],
])("all of the output is printed where %s, because no handle would keep it", async (_, env: Record<string, string>) => {
  const { te, fails, home } = withTests();
  writeFileSync(join(home, "broken.toml"), "[mcp\n");
  expect(texts(await te(fails, { env }))).toEqual({ code: 101, stdout: TEST_RUN, stderr: "" });
});

test("--json prints one object in the form of te_run", async () => {
  const { te, fails } = withTests();
  const { code, stdout, stderr } = texts(await te(["--json", ...fails], { env: { TE_AGENT_ID: "me" } }));
  expect([code, stderr, stdout.split("\n").length]).toEqual([101, "", 2]);
  const result = JSON.parse(stdout) as { enrichment: { handle: string }; stdout: string };
  expect(result).toEqual({
    success: false,
    mode: "enriched",
    command: fails.join(" "),
    stdout: expect.stringContaining("panicked at src/lib.rs:7:5"),
    stderr: "",
    exit_code: 101,
    enrichment: {
      match_count: null,
      truncated: true,
      handle: expect.stringMatching(/^H_cmd_/),
      tokens_estimate: expect.any(Number),
    },
    telemetry: { latency_ms: expect.any(Number), agent_id: "me", budget_remaining: null },
  });
  expect(result.stdout).not.toContain("number_17");
  expect(texts(await te(["--handle", result.enrichment.handle])).stdout).toBe(TEST_RUN);
});

test.each([
  [["--json", "printf", "hi"], { success: true, mode: "passthrough", stdout: "hi", exit_code: 0 }],
  [["--json", "--raw", "cat run"], { success: true, mode: "raw", command: "cat run", stdout: TEST_RUN }],
  [["--json", "nosuchprogram"], { success: false, exit_code: 127, stderr: "te: nosuchprogram: command not found\n" }],
  [["--json", "kill -TERM $$"], { success: false, exit_code: 143 }],
])("%j", async (argv, result) => {
  const { te } = withTests();
  const { stdout } = texts(await te(argv));
  expect(JSON.parse(stdout)).toMatchObject({
    ...result,
    enrichment: { truncated: false, handle: null },
    telemetry: { agent_id: "te" },
  });
});

test("--json tells how much of a flood it left out", async () => {
  const { te } = freshHome();
  const { stdout } = await te(["--json", "--raw", "yes line | head -c 40000000"]);
  const result = JSON.parse(stdout.toString()) as { stdout: string; enrichment: { truncated: boolean } };
  const left = Number(/… \[(\d+) bytes were not kept\] …/.exec(result.stdout)?.[1]);
  expect(result.enrichment.truncated).toBe(true);
  expect(result.stdout.length).toBeGreaterThan(40_000_000 - left);
  expect(result.stdout.length).toBeLessThan(40_000_100 - left);
});
