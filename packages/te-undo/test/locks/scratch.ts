import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A fresh folder, gone after the test. */
export function scratch(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "te-fs-state-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
