import type { VitestReport } from "./vitest-report.js";

/** More than these are no accident of a busy machine. */
const MAX_FAILED = 5;

type Result = VitestReport["testResults"][number];

/** The files whose failed tests are run once more, alone; or why none of them is. */
export function filesForSecondLook(reports: readonly VitestReport[]): { files: string[] } | { refused: string } {
  const files = reports.flatMap(({ testResults }) => testResults).filter(({ status }) => status === "failed");
  const failed = files.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === "failed"));
  if (failed.length > MAX_FAILED) return { refused: `${failed.length} tests failed: that is no accident` };
  if (files.some((file) => !file.assertionResults.some(({ status }) => status === "failed")))
    return { refused: "a file could not be loaded, or a hook failed" };
  const found = failed.find(({ failureMessages = [] }) => failureMessages.some((text) => /Property failed/.test(text)));
  if (found !== undefined) return { refused: `a counter-example stays one: ${found.fullName.trim()}` };
  return { files: files.map(({ name }) => name) };
}

/** The report with the second result of each file that was run again, and the tests that passed only then. */
export function withSecondLook(first: VitestReport, second: VitestReport): { report: VitestReport; mended: string[] } {
  const again = new Map(second.testResults.map((result) => [result.name, result]));
  const mended = first.testResults.flatMap((result) => passedOnlyThen(result, again.get(result.name)));
  const report = { ...first, testResults: first.testResults.map((result) => again.get(result.name) ?? result) };
  return { report, mended };
}

function passedOnlyThen({ assertionResults }: Result, again: Result | undefined): string[] {
  const passed = new Set(
    again?.assertionResults.filter(({ status }) => status === "passed").map(({ fullName }) => fullName),
  );
  return assertionResults
    .filter(({ status, fullName }) => status === "failed" && passed.has(fullName))
    .map(({ fullName }) => fullName.trim());
}
