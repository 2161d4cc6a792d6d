// Looks at what would be published, not at the folder it is made from.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { packAll, type Packed } from "./pack.js";

const ATTW = join(import.meta.dirname, "../node_modules/.bin/attw");
const folder = mkdtempSync(join(tmpdir(), "packed-"));
try {
  const packages = await packAll(folder);
  const problems: string[] = [];
  // One after the other, because each run of attw takes the memory of a compiler.
  for (const one of packages) problems.push(...(await problemsOf(one)));
  for (const problem of problems) console.error(problem);
  console.log(`package:check: ${packages.length} tarballs, ${problems.length} problems`);
  if (packages.length === 0 || problems.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function problemsOf(one: Packed): Promise<string[]> {
  const shape = await shapeProblems(one);
  // An executable has no types that somebody could import.
  return one.manifest.exports === undefined ? shape : [...shape, ...(await typeProblems(one))];
}

async function shapeProblems({ dir, tarball }: Packed): Promise<string[]> {
  const packed = Uint8Array.from(readFileSync(tarball)).buffer;
  const { messages, pkg } = await publint({ pack: { tarball: packed }, strict: true });
  return messages.map((message) => `${dir}: publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`);
}

async function typeProblems({ dir, tarball }: Packed): Promise<string[]> {
  const args = ["--profile", "esm-only", "--format", "ascii", "--no-color", "--no-emoji"];
  const options = { stdin: "ignore", timeout: 120_000, reject: false } as const;
  const { failed, message } = await execa(ATTW, [tarball, ...args], options);
  return failed ? [`${dir}: attw: ${message}`] : [];
}
