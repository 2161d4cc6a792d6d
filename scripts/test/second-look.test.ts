import { expect, test } from "vitest";
import { filesForSecondLook, withSecondLook } from "../src/second-look-report.js";
import type { VitestReport } from "../src/vitest-report.js";

type Test = VitestReport["testResults"][number]["assertionResults"][number];

const failed = (fullName: string, message = "expected 1 to be 2"): Test => ({
  status: "failed",
  fullName,
  failureMessages: [message],
});
const passed = (fullName: string): Test => ({ status: "passed", fullName });

function reportOf(files: Readonly<Record<string, readonly Test[]>>): VitestReport {
  const testResults = Object.entries(files).map(([name, assertionResults]) => ({
    name,
    status: assertionResults.some(({ status }) => status === "failed") ? "failed" : "passed",
    assertionResults,
  }));
  return { testResults };
}

test("files with a failed test are run again, and no others", () => {
  const reports = [
    reportOf({ "/a.ts": [passed("reads"), failed("writes")], "/b.ts": [passed("lists")] }),
    reportOf({}),
  ];

  expect(filesForSecondLook(reports)).toEqual({ files: ["/a.ts"] });
});

test("a counter-example, many failures and a file that cannot be loaded get no second look", () => {
  const property = reportOf({ "/a.ts": [failed("any path", "Error: Property failed after 3 tests")] });
  const many = reportOf({ "/a.ts": ["1", "2", "3", "4", "5", "6"].map((name) => failed(name)) });
  const broken: VitestReport = { testResults: [{ name: "/a.ts", status: "failed", assertionResults: [] }] };

  for (const report of [property, many, broken]) expect(filesForSecondLook([report])).toHaveProperty("refused");
});

test("what passed at the second look is named, what failed again stays failed", () => {
  const first = reportOf({ "/a.ts": [failed("writes"), failed("moves")], "/b.ts": [passed("lists")] });
  const second = reportOf({ "/a.ts": [passed("writes"), failed("moves")] });

  const { report, mended } = withSecondLook(first, second);

  expect(mended).toEqual(["writes"]);
  expect(report.testResults.map(({ status }) => status)).toEqual(["failed", "passed"]);
});
