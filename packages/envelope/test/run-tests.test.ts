import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { runTests } from "../src/tools/run-tests.js";
import { openStage } from "./stage.js";

const hasPytest = spawnSync("python3", ["-m", "pytest", "--version"]).status === 0;

/** A root with these files. */
function stageWith(files: Readonly<Record<string, string>>) {
  const stage = openStage();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(stage.root, name)), { recursive: true });
    writeFileSync(join(stage.root, name), text);
  }
  return stage;
}

const CART = "def total(prices):\n    return sum(prices)\n\n\ndef half(price):\n    return price // 3\n";
const CART_TEST = [
  "from cart import half, total",
  "",
  "",
  "def test_total():",
  "    assert total([1, 2]) == 3",
  "",
  "",
  "def test_half():",
  '    print("asking for 10")',
  "    assert half(10) == 5",
  "",
].join("\n");

describe.skipIf(!hasPytest)("pytest", () => {
  test("totals, and each failing test with its place, assertion and output", async () => {
    const { ops } = stageWith({ "pytest.ini": "[pytest]\n", "cart.py": CART, "test_cart.py": CART_TEST });
    const result = await ops.call("run_tests", {});
    expect(result).toMatchObject({
      runner: "pytest",
      passed: 1,
      failed: 1,
      errors: 0,
      skipped: 0,
      exit_code: 1,
      success: false,
    });
    expect(result.failures).toMatchObject([
      { id: "test_cart.py::test_half", file: "test_cart.py", line: 10, assertion: "assert 3 == 5" },
    ]);
    expect(result.failures[0]?.output).toContain("asking for 10");
    const text = runTests.render?.(result, {}, new Set()) ?? "";
    expect(text).toMatch(/^\[python3 -m pytest · exit 1 · 1 failed, 1 passed/);
    expect(await ops.call("run_pytest", { args: ["-k", "total"] })).toMatchObject({
      passed: 1,
      failed: 0,
      success: true,
    });
  });

  test("a file that cannot be collected is an error and never 0 failed", async () => {
    const { ops } = stageWith({ "pytest.ini": "[pytest]\n", "test_cart.py": "import nothing_of_that_name\n" });
    const result = await ops.call("run_tests", {});
    expect(result).toMatchObject({ success: false, errors: 1 });
    expect(result.exit_code).toBe(2);
  });

  test("no test at all is no success and has no number of failures", async () => {
    const { ops } = stageWith({ "pytest.ini": "[pytest]\n" });
    expect(await ops.call("run_tests", {})).toMatchObject({ success: false, failed: null, errors: null, exit_code: 5 });
  });

  test("a run that crashes has no totals", async () => {
    const { ops } = stageWith({
      "pytest.ini": "[pytest]\n",
      "test_cart.py": "import os\n\n\ndef test_one():\n    os.abort()\n",
    });
    expect(await ops.call("run_tests", {})).toMatchObject({ success: false, passed: null, failed: null });
  });
});

test("node --test, and the runner of the nearest folder above", async () => {
  const { ops } = stageWith({
    "package.json": '{"scripts": {"test": "node --test"}, "type": "module"}',
    "lib/a.test.js":
      'import test from "node:test";\nimport assert from "node:assert";\ntest("adds", () => assert.equal(1 + 1, 2));\ntest("halves", () => assert.equal(10 / 2, 4));\n',
  });
  const result = await ops.call("run_tests", { path: "lib" });
  expect(result).toMatchObject({ passed: 1, failed: 1, success: false });
  expect(result.failures.map(({ id }) => id)).toContain("halves");
  expect(result.failures.find(({ id }) => id === "halves")).toMatchObject({ line: 4 });
});

test("unittest", async () => {
  const { ops } = stageWith({
    "test_cart.py":
      "import unittest\n\n\nclass Cart(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(1, 2)\n\n    def test_two(self):\n        pass\n",
  });
  const result = await ops.call("run_tests", {});
  expect(result).toMatchObject({ runner: "unittest", passed: 1, failed: 1, errors: 0, success: false });
  expect(result.failures).toMatchObject([{ file: expect.stringContaining("test_cart.py"), line: 6 }]);
});

test("the totals of several runs add up, and a failed test is no success although the script ends with 0", async () => {
  const run = (verdict: string) => `print("=== ${verdict} in 0.10s ===")`;
  const { ops } = stageWith({
    "package.json": JSON.stringify({ scripts: { test: "python3 a.py; python3 b.py" } }),
    "a.py": `print("FAILED t.py::test_a - assert 1 == 2")\n${run("1 failed, 19 passed")}\n`,
    "b.py": `${run("20 passed")}\n`,
  });
  expect(await ops.call("run_tests", {})).toMatchObject({ passed: 39, failed: 1, exit_code: 0, success: false });
});

test("a test that is a function is for pytest, and a runner that finds no test is no success", async () => {
  const { ops } = stageWith({ "test_plain.py": "def test_one():\n    assert True\n" });
  expect((await ops.call("run_tests", {})).command).toBe("python3 -m pytest");
  const empty = stageWith({ "test_none.py": "import unittest\n" });
  expect(await empty.ops.call("run_tests", {})).toMatchObject({ passed: null, failed: null, success: false });
});

test("make check", async () => {
  const { ops } = stageWith({ Makefile: "check:\n\t@echo all is well\n" });
  expect(await ops.call("run_tests", {})).toMatchObject({
    command: "make check",
    runner: null,
    passed: null,
    success: true,
  });
});

test("a folder without tests is an error that says what was looked for", async () => {
  const { ops } = stageWith({ "notes.txt": "x\n" });
  await expect(ops.call("run_tests", {})).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
});

test("tests in a folder of their own run, and none at all is no success in numbers", async () => {
  const { ops } = stageWith({
    "tests/test_cart.py":
      "import unittest\n\n\nclass Cart(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(1, 1)\n",
  });
  expect(await ops.call("run_tests", {})).toMatchObject({ runner: "unittest", passed: 1, failed: 0, success: true });
  const empty = stageWith({ "tests/test_cart.py": "import unittest\n" });
  expect(await empty.ops.call("run_tests", {})).toMatchObject({ passed: null, failed: null });
});
