import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLinuxOps, type LinuxOpsOptions } from "@llmc/linux-ops";
import { onTestFinished } from "vitest";
import { envelopeModule } from "../src/index.js";

export function freshFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "envelope-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The library with the tools of this package, on a fresh root without a sandbox. */
export function openStage({
  root = freshFolder(),
  ...options
}: Pick<LinuxOpsOptions, "config"> & { readonly root?: string } = {}) {
  const ops = createLinuxOps({ roots: [root], modules: [envelopeModule], ...options });
  onTestFinished(() => ops.close());
  return { root, ops, prints };

  /** A command that prints these bytes and ends with this code. */
  function prints(stdout: string, { stderr = "", code = 0 }: { stderr?: string; code?: number } = {}): string[] {
    writeFileSync(join(root, "out"), stdout);
    writeFileSync(join(root, "err"), stderr);
    return ["bash", "-c", `cat out; cat err >&2; exit ${code}`];
  }
}
