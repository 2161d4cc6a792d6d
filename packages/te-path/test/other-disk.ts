import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { onTestFinished } from "vitest";
import { freshDir } from "./tree.js";

/** Mounts another file system at a new folder; where that needs rights that nobody here has, the test is skipped. */
export function otherDisk(path: string, skip: (note: string) => never, options = "size=200m"): string {
  if (!mounted(path, options)) skip("mounts need rights that this user does not have");
  return path;
}

/** A fresh folder in memory where mounts are allowed, for tests that make and remove many files; else on the disk. */
export function freshQuickDir(): string {
  const dir = freshDir();
  return mounted(`${dir}/memory`, "size=400m") ? `${dir}/memory` : dir;
}

function mounted(path: string, options: string): boolean {
  mkdirSync(path, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path], { stdio: "ignore" });
  } catch {
    return false;
  }
  onTestFinished(() => void execFileSync("umount", ["--lazy", path]));
  return true;
}
