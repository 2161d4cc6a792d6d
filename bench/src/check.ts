// The README's table is what the JSON renders, or this fails.
import { readFileSync } from "node:fs";
import { withResults } from "./report/readme.js";
import { README_FILE, readResult } from "./report/result.js";
import { renderResult } from "./report/table.js";

const readme = readFileSync(README_FILE, "utf8");
if (withResults(readme, renderResult(readResult())) !== readme) {
  console.error(
    "bench/README.md does not say what bench/results/latest.json says; run `pnpm bench`, or undo the edit.",
  );
  process.exitCode = 1;
}
