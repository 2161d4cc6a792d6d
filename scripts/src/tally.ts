// Sums what vitest reported for every package. The last line is for machines: `N passed, N failed, N skipped`.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { addReport, emptyTally, readReport, type Tally } from "./vitest-report.js";
import { ROOT, workspacePackages } from "./workspace.js";

const tally = emptyTally();
for (const { dir, manifest } of workspacePackages()) {
  const scripts = manifest["scripts"] as Record<string, string> | undefined;
  if (scripts?.["test"] === undefined) continue;
  const file = join(ROOT, dir, ".reports/vitest.json");
  if (existsSync(file)) addReport(tally, dir, readReport(file));
  else tally.failures.push(`${dir}: no report, so its tests did not run to their end`);
}

print(tally);
if (tally.failures.length > 0 || tally.passed === 0) process.exitCode = 1;

function print({ passed, failures, skips }: Tally): void {
  for (const skip of skips) console.log(`skipped: ${skip}`);
  for (const failure of failures) console.log(`failed: ${failure}`);
  if (passed === 0) console.log("No test ran.");
  console.log(`${passed} passed, ${failures.length} failed, ${skips.length} skipped`);
}
