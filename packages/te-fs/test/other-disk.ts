import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { onTestFinished } from "vitest";
import { freshDir } from "./tree.js";

/** A fresh folder in memory where mounts are allowed, for tests that make and remove many files; else on the disk. */
export function freshQuickDir(): string {
  const dir = freshDir();
  return otherDisk(`${dir}/memory`, () => undefined) ?? dir;
}

/** Mounts another file system at a new folder; where that needs rights that nobody here has, the test is skipped. */
export function otherDisk<None>(path: string, skip: (note: string) => None, options = "size=200m"): string | None {
  mkdirSync(path, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path], { stdio: "ignore" });
  } catch {
    return skip("mounts need rights that this user does not have");
  }
  onTestFinished(() => void execFileSync("umount", ["--lazy", path]));
  return path;
}
