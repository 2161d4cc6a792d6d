import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder with one program, a shell script: what stands in for systemctl and journalctl. */
export function fakeProgram(
  name: string,
  script: string,
): { readonly folder: string; readonly file: (name: string) => string } {
  const folder = mkdtempSync(join(tmpdir(), "linux-ops-fake-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), `#!/bin/sh\ncd "${folder}"\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  return { folder, file: (each) => readFileSync(join(folder, each), "utf8") };
}
