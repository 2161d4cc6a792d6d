// After a run in which few tests failed: their files once more, one after the other, on a machine that does nothing else.
// What passes only then is printed by name and counts as passed; what fails again, and every property that found a
// counter-example, stays failed. `pnpm test` itself never looks twice.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
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
  let ok = true;
  for (const { dir, manifest, file, report } of reported) {
    const files = report.testResults.map(({ name }) => name).filter((name) => plan.files.includes(name));
    if (files.length === 0) continue;
    ok = (await lookAgain(dir, file, files)) && (await requirementsHold(dir, manifest["scripts"])) && ok;
  }
  process.exitCode = ok ? 0 : 1;
}

async function lookAgain(dir: string, file: string, files: readonly string[]): Promise<boolean> {
  const output = join(ROOT, dir, ".reports/second-look.json");
  const own = join(ROOT, dir, "vitest.config.ts");
  const config = existsSync(own) ? own : join(ROOT, "vitest.config.ts");
  const args = ["run", "--config", config, "--root", ".", "--no-file-parallelism", "--outputFile.json", output];
  const vitest = join(ROOT, "node_modules/.bin/vitest");
  const options = { cwd: join(ROOT, dir), stdio: "inherit", reject: false } as const;
  const { message } = await execa(vitest, [...args, ...files], options);
  if (!existsSync(output)) {
    console.error(`No second report of ${dir}: ${message ?? "vitest wrote none"}`);
    return false;
  }
  const { report, mended } = withSecondLook(readReport(file), readReport(output));
  rmSync(output);
  writeFileSync(file, JSON.stringify(report));
  for (const name of mended) console.log(`passed only at the second look: ${dir}: ${name}`);
  return report.testResults.every(({ status }) => status !== "failed");
}

/** The end-to-end tests are followed by a check of what they prove. */
async function requirementsHold(dir: string, scripts: unknown): Promise<boolean> {
  if ((scripts as Record<string, string> | undefined)?.["requirements"] === undefined) return true;
  const options = { cwd: join(ROOT, dir), stdio: "inherit", reject: false } as const;
  const { failed } = await execa("npm", ["run", "--silent", "requirements"], options);
  return !failed;
}
