import { expect, test } from "vitest";
import { addReport, emptyTally, type VitestReport } from "../src/vitest-report.js";

const file = (parts: Partial<VitestReport["testResults"][number]>): VitestReport => ({
  testResults: [{ name: "/w/packages/x/test/a.test.ts", status: "passed", assertionResults: [], ...parts }],
});

function tallyOf(...reports: VitestReport[]) {
  const tally = emptyTally();
  for (const report of reports) addReport(tally, "packages/x", report);
  return tally;
}

test("counts what passed and names what failed or was skipped", () => {
  const assertionResults = [
    { status: "passed", fullName: " reads" },
    { status: "failed", fullName: " writes" },
    { status: "skipped", fullName: " mounts (no bindfs here)" },
    { status: "pending", fullName: " later" },
    { status: "todo", fullName: " some day" },
  ];

  expect(
    tallyOf(file({ status: "failed", assertionResults }), file({ assertionResults: assertionResults.slice(0, 1) })),
  ).toEqual({
    passed: 2,
    failures: ["packages/x: writes"],
    skips: ["packages/x: mounts (no bindfs here)", "packages/x: later", "packages/x: some day"],
  });
});

test("a file that could not be loaded is a failure, although it has no tests", () => {
  expect(tallyOf(file({ status: "failed", message: "Cannot find module './gone.js'\n  at x" })).failures).toEqual([
    "packages/x: test/a.test.ts: Cannot find module './gone.js'",
  ]);
});

test("a hook that threw after every test passed is a failure", () => {
  const assertionResults = [{ status: "passed", fullName: " reads" }];

  expect(tallyOf(file({ status: "failed", message: "", assertionResults })).failures).toEqual([
    "packages/x: test/a.test.ts: the file failed",
  ]);
});
