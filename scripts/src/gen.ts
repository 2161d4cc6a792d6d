// Writes the generated documents; with --check it only compares, and fails where a file differs from the source.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { firstDifference } from "./first-difference.js";
import { generatedFiles } from "./generated.js";
import { ROOT } from "./workspace.js";

const check = process.argv.includes("--check");

for (const [file, text] of generatedFiles()) {
  const path = join(ROOT, file);
  const written = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (written === text) continue;
  if (check) {
    console.error(`${file} is not what the source says now; run \`pnpm gen\`.\n${firstDifference(written, text)}`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(`wrote ${file}`);
  }
}
