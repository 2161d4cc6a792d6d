import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Files } from "./memory.js";

/** A program that makes diffs, told to compare the folders a and b below `folder`. */
export interface Differ {
  readonly name: string;
  readonly present: boolean;
  diff(folder: string, context: number): string;
}

export const GNU_DIFF = differ("diff", (context) => ["-a", "-r", "-N", `-U${context}`, "a", "b"]);
export const GIT_DIFF = differ("git", (context) => [
  "-c",
  "core.quotePath=true",
  "diff",
  "--no-index",
  "--no-color",
  "--text",
  "--no-ext-diff",
  `-U${context}`,
  "a",
  "b",
]);

function differ(program: string, argumentsFor: (context: number) => readonly string[]): Differ {
  const present = spawnSync(program, ["--version"]).status === 0;
  if (!present) console.log(`skipped: there is no ${program} on this machine`);
  return {
    name: program,
    present,
    diff(cwd, context) {
      const { status, stdout, stderr } = spawnSync(program, argumentsFor(context), { cwd, maxBuffer: 1 << 28 });
      if (status !== 0 && status !== 1) throw new Error(`${program} failed: ${stderr.toString()}`);
      return stdout.toString("utf8");
    },
  };
}

/** What git makes of two trees, renames and copies found. `folder` is a repository after that. */
export function diffTrees(folder: string, before: Files, after: Files): string {
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_DIR: join(folder, "git"),
  };
  const git = (...rest: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync("git", rest, { cwd: join(folder, "tree"), env, maxBuffer: 1 << 28 });
    if (status !== 0) throw new Error(`git ${rest.join(" ")} failed: ${stderr.toString()}`);
    return stdout.toString("utf8");
  };
  const treeOf = (files: Files): string => {
    writeTree(join(folder, "tree"), files);
    git("--work-tree=.", "add", "--all", ".");
    return git("write-tree").trim();
  };
  mkdirSync(join(folder, "tree"), { recursive: true });
  git("init", "-q");
  const trees = [treeOf(before), treeOf(after)];
  return git("diff-tree", "-p", "-r", "-M", "-C", "--find-copies-harder", "--no-color", ...trees);
}

/** A fresh folder, gone after the test. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "te-fs-diff-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function writeTree(folder: string, files: Files): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}
