// Looks at what would be published, not at the folder it is made from.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { packAll, type Packed } from "./pack.js";

const ATTW = join(import.meta.dirname, "../node_modules/.bin/attw");
const folder = mkdtempSync(join(tmpdir(), "packed-"));
try {
  const packages = packAll(folder);
  const problems = (await Promise.all(packages.map(problemsOf))).flat();
  for (const problem of problems) console.error(problem);
  console.log(`package:check: ${packages.length} tarballs, ${problems.length} problems`);
  if (packages.length === 0 || problems.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function problemsOf(one: Packed): Promise<string[]> {
  const shape = await shapeProblems(one);
  // An executable has no types that somebody could import.
  return one.manifest.exports === undefined ? shape : [...shape, ...typeProblems(one)];
}

async function shapeProblems({ dir, tarball }: Packed): Promise<string[]> {
  const packed = Uint8Array.from(readFileSync(tarball)).buffer;
  const { messages, pkg } = await publint({ pack: { tarball: packed }, strict: true });
  return messages.map((message) => `${dir}: publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`);
}

function typeProblems({ dir, tarball }: Packed): string[] {
  try {
    execFileSync(ATTW, [tarball, "--profile", "esm-only", "--format", "ascii", "--no-color", "--no-emoji"], {
      encoding: "utf8",
      timeout: 120_000,
    });
    return [];
  } catch (thrown) {
    const { stdout = "", stderr = "" } = thrown as { stdout?: string; stderr?: string };
    return [`${dir}: attw:\n${stdout}${stderr}`];
  }
}
