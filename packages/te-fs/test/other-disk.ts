import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { onTestFinished } from "vitest";

/** Mounts another file system at a new folder; where that needs rights that nobody here has, the test is skipped. */
export function otherDisk(path: string, skip: (note: string) => never, options = "size=200m"): string {
  mkdirSync(path, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path], { stdio: "ignore" });
  } catch {
    skip("mounts need rights that this user does not have");
  }
  onTestFinished(() => void execFileSync("umount", ["--lazy", path]));
  return path;
}
