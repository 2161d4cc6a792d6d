import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const PROGRAM = join(import.meta.dirname, "programs/own-tools.ts");

test("the example of a module in the README is the program that runs here", () => {
  const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${readFileSync(PROGRAM, "utf8")}\`\`\``);
  const argv = ["--conditions=llmc-source", "--import", "tsx", PROGRAM];
  expect(execFileSync(process.execPath, argv, { encoding: "utf8", cwd: import.meta.dirname })).toBe("12\n");
});
