// After a run in which few tests failed: their files once more, one after the other, on a machine that does nothing else.
// What passes only then is printed by name and counts as passed; what fails again, and every property that found a
// counter-example, stays failed. `pnpm test` itself never looks twice.
import { spawnSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesForSecondLook, withSecondLook } from "./second-look-report.js";
import { readReport } from "./vitest-report.js";
import { ROOT, workspacePackages } from "./workspace.js";

const reported = workspacePackages()
  .map((each) => ({ ...each, file: join(ROOT, each.dir, ".reports/vitest.json") }))
  .filter(({ file }) => existsSync(file))
  .map((each) => ({ ...each, report: readReport(each.file) }));
const plan = filesForSecondLook(reported.map(({ report }) => report));

if ("refused" in plan) {
  console.error(`No second look: ${plan.refused}.`);
  process.exitCode = 1;
} else {
  const ok = reported.map(({ dir, manifest, file, report }) => {
    const files = report.testResults.map(({ name }) => name).filter((name) => plan.files.includes(name));
    return files.length === 0 || (lookAgain(dir, file, files) && requirementsHold(dir, manifest["scripts"]));
  });
  process.exitCode = ok.every(Boolean) ? 0 : 1;
}

function lookAgain(dir: string, file: string, files: readonly string[]): boolean {
  const output = join(ROOT, dir, ".reports/second-look.json");
  const own = join(ROOT, dir, "vitest.config.ts");
  const config = existsSync(own) ? own : join(ROOT, "vitest.config.ts");
  const args = ["run", "--config", config, "--root", ".", "--no-file-parallelism", "--outputFile.json", output];
  const vitest = join(ROOT, "node_modules/.bin/vitest");
  spawnSync(vitest, [...args, ...files], { cwd: join(ROOT, dir), stdio: "inherit" });
  if (!existsSync(output)) return false;
  const { report, mended } = withSecondLook(readReport(file), readReport(output));
  rmSync(output);
  writeFileSync(file, JSON.stringify(report));
  for (const name of mended) console.log(`passed only at the second look: ${dir}: ${name}`);
  return report.testResults.every(({ status }) => status !== "failed");
}

/** The end-to-end tests are followed by a check of what they prove. */
function requirementsHold(dir: string, scripts: unknown): boolean {
  if ((scripts as Record<string, string> | undefined)?.["requirements"] === undefined) return true;
  return spawnSync("npm", ["run", "--silent", "requirements"], { cwd: join(ROOT, dir), stdio: "inherit" }).status === 0;
}
