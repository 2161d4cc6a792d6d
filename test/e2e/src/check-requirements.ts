import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkRequirements } from "./requirement-problems.js";
import { COUNTS, REQUIREMENTS } from "./requirements.js";

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const here = join(import.meta.dirname, "..");
const json = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));
const tests = (json(join(here, ".reports/vitest.json")) as Report).testResults.flatMap((file) => file.assertionResults);
const { topics } = json(join(here, "../../open-topics.json")) as { topics: Record<string, string> };

const { problems, rest, covered } = checkRequirements({
  requirements: REQUIREMENTS,
  counts: COUNTS,
  topics: Object.keys(topics),
  passed: tests.filter((test) => test.status === "passed").map((test) => test.fullName),
  others: tests.filter((test) => test.status !== "passed").map((test) => test.fullName),
});

console.log(`${covered.length} requirements proved: ${covered.join(" ")}`);
console.log(`${rest.length} not proved:\n${rest.map((line) => `  ${line}`).join("\n")}`);
for (const problem of problems) console.error(`requirement: ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;
