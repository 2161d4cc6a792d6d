import { expect, test } from "vitest";
import { digest } from "../src/digest/digest.js";
import { RECOGNISERS } from "../src/recognise/recognisers.js";
import { openStage } from "./stage.js";

/** The text that a command's stdout is told as. */
function told(command: string, stdout: string | readonly string[], { exitCode = 0, stderr = "" } = {}): string {
  const text = typeof stdout === "string" ? stdout : `${stdout.join("\n")}\n`;
  return digest({ command, stdout: text, stderr, exitCode }, RECOGNISERS)?.stdout ?? text;
}

const lines = (count: number, lineOf: (at: number) => string) => Array.from({ length: count }, (_, at) => lineOf(at));
const stamp = (at: number) => `2026-11-20 10:${String(at % 60).padStart(2, "0")}:00`;

test("of log lines alike but for numbers the odd ones are told", () => {
  const statusOf = (at: number) => (at % 100 === 7 ? 500 : 200);
  const access = lines(
    400,
    (at) => `${stamp(at)} GET /api/orders/${at} ${statusOf(at)} ${at === 150 ? 29_999 : 10 + (at % 9)}ms`,
  );
  const text = told("cat access.log", access);
  expect(text.match(/ 500 /g)).toHaveLength(4);
  expect(text).toContain("29999ms");
  const builds = lines(120, (at) => `${stamp(at)} job ${at} finished: exit code ${at === 61 ? 3 : 0}, coverage 80%`);
  expect(told("cat builds.log", builds)).toContain("job 61 finished: exit code 3");
});

test("the output of a project's own script is not folded by the rules for installers", () => {
  const report = lines(48, (at) => `month ${at}: revenue ${300 + at * 7} EUR`);
  expect(told("npm run report", report)).toBe(`${report.join("\n")}\n`);
});

const PATCH = [
  "diff --git a/a.py b/a.py",
  "index 1111111..2222222 100644",
  "--- a/a.py",
  "+++ b/a.py",
  "@@ -14,7 +14,7 @@ def f(x):",
  "     x = 1",
  " ",
  "         return x + 4",
  "-    return x",
  "+    return x + 1",
  "     x = 2",
];

test("hunks of git show are whole, blanks and indentation included, and lines are those of the output", () => {
  const head = [
    "commit 4198e7e0000000000000000000000000000000aa",
    "Author: A <a@b>",
    "Date:   Fri Nov 20 10:00:00 2026 +0000",
    "",
    "    big change",
    "",
  ];
  const more = lines(40, (at) =>
    [
      "diff --git a/m b/m",
      "--- a/m",
      "+++ b/m",
      "@@ -1 +1 @@",
      `-${at}${"o".repeat(500)}`,
      `+${at}${"n".repeat(500)}`,
    ].join("\n"),
  );
  const whole = [...head, ...PATCH, ...more.flatMap((each) => each.split("\n"))];
  const text = told("git show HEAD", whole);
  expect(text).toContain(PATCH.slice(4).join("\n"));
  expect(text).not.toContain("[+");
  const [, from = ""] = /lines (\d+)-\d+/.exec(text) ?? [];
  expect(whole[Number(from) - 1]).toMatch(/^diff --git/);
});

test("the listing of one command does not take the lines of another", () => {
  const paths = lines(200, (at) => `./src/part${at % 5}/file_number_${at}.txt`);
  const text = told("find . -type f; cat notes.txt", [...paths, "remember the milk", "and call home"]);
  expect(text).toContain("remember the milk\nand call home\n");
});

test("a remark behind a command does not change how its output is told", () => {
  const run = [
    ...lines(300, (at) => `tests/test_a.py::test_${at} PASSED [ ${at % 100}%]`),
    "=== 300 passed in 2.00s ===",
  ];
  for (const line of ['pytest -v; echo "exit=$?"', "pytest -v && echo ok", "pytest -v | cat"]) {
    const text = told(line, [...run, "exit=0"]);
    expect(text).toContain("300 passed in 2.00s");
    expect(text).toContain("exit=0");
    expect(text.length).toBeLessThan(200);
  }
});

test("ls -R keeps each name in its folder", () => {
  const parts = lines(6, (folder) =>
    [`many/d${folder}:`, ...lines(40, (at) => `file_number_${folder}_${at}.txt`), ""].join("\n"),
  );
  const text = told("ls -R many", parts.join("\n"));
  expect(text).toMatch(/^many\/d3\/: .*file_number_3_/m);
  expect(text).not.toMatch(/^\.\/:/m);
});

test("a warning whose neighbour ends in brackets too is told with its own line", () => {
  const warning = (line: number, name: string) =>
    `w.c:${line}:16: warning: unused parameter '${name}' [-Wunused-parameter]`;
  const source = (line: number) => [`${String(line).padStart(5)} | int f(int a, int b) {`, "      |           ~~~~^"];
  const out = lines(8, (at) =>
    [
      warning(at + 3, "p"),
      ...source(at + 3),
      `w.c:${at + 3}:20: warning: unused variable 'v${at}' [-Wunused-variable]`,
      warning(at + 3, "q"),
      ...source(at + 3),
    ].join("\n"),
  );
  const text = told("gcc -Wall -c w.c", out.join("\n"), { exitCode: 0 });
  expect(text).toContain("24 warnings");
});

test("vitest without stderr names the failing tests", () => {
  const run = [
    " RUN  v4.0.0 /work",
    ...lines(60, (at) => `   ✓ works ${at} 1ms`),
    "   × sum > adds 4ms",
    "     → expected 3 to be 4",
    " Test Files  1 failed (1)",
    "      Tests  1 failed | 60 passed (61)",
  ];
  const text = told("npx vitest run 2>/dev/null", run, { exitCode: 1 });
  expect(text).toContain("× sum > adds");
  expect(text).toContain("→ expected 3 to be 4");
});

test("JSON keeps every digit, and is told by its shape on one line too", () => {
  const items = lines(60, (at) => `{"id": 12345678901234567${at + 10}, "state": "${at === 30 ? "BROKEN" : "ok"}"}`);
  const text = told("jq . ids.json", `[${items.join(",")}]`);
  expect(text).toContain("1234567890123456710");
  expect(text).toContain("1234567890123456769");
  expect(text).toContain("BROKEN");
});

test("the end of a failing test's output is told, with a mark of what is not", () => {
  const run = [
    "=== FAILURES ===",
    "___ test_out ___",
    "    def test_out():",
    ">       assert False",
    "E       assert False",
    "test_a.py:9: AssertionError",
    "----- Captured stdout call -----",
    ...lines(100, (at) => `processing item ${at}`),
    "the clue",
    "=== short test summary info ===",
    "FAILED test_a.py::test_out - assert False",
    "=== 1 failed in 0.10s ===",
  ];
  const text = told("pytest", run, { exitCode: 1 });
  expect(text).toContain("the clue");
  expect(text).toMatch(/^… \d+ more lines$/m);
});

test("above the bound the first line tells of the gap, and a failure in the gap is told", async () => {
  const { ops, prints } = openStage();
  const copied = lines(6000, (at) =>
    at === 3010 ? "copy FAILED for file 3010: No space left on device" : `copied file ${at}`,
  );
  const { stdout, enrichment } = await ops.call("te_run", { command: prints(`${copied.join("\n")}\n`) });
  expect(enrichment.marker).toMatch(/^6000 lines, cut: linux_handle_read h\d{6} lines=\d+-\d+$/);
  expect(stdout).toContain("\n…\ncopy FAILED for file 3010: No space left on device\n…\n");
});

test("names that end with a NUL are text", async () => {
  const { ops, prints } = openStage();
  const names = lines(60, (at) => `./some/folder/name ${at}\0`).join("");
  expect((await ops.call("te_run", { command: prints(names) })).stdout).toBe(names);
});

test("local variables that the caller asked pytest for are told", () => {
  const failure = (at: number) => [
    `___ test_${at} ___`,
    "    def test_out():",
    ">       assert total == 3",
    "E       assert 2 == 3",
    `price      = ${at}`,
    "total      = 2",
    `test_a.py:${at + 9}: AssertionError`,
  ];
  const run = ["=== FAILURES ===", ...lines(12, (at) => failure(at).join("\n")), "=== 12 failed in 0.10s ==="];
  const text = told("pytest -l", run.join("\n").split("\n"), { exitCode: 1 });
  expect(text).toContain("price      = 11");
});
