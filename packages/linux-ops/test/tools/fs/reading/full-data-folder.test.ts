import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createLinuxOps } from "../../../../src/index.js";

function smallDisk(skip: (reason: string) => never): string {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "linux-ops-full-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const disk = join(base, "disk");
  mkdirSync(disk);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", disk], { stdio: "ignore" });
  } catch {
    skip("nothing may be mounted here");
  }
  onTestFinished(() => void execFileSync("umount", ["-l", disk]));
  return disk;
}

test("where the data folder's disk is full, what is cut is answered without a handle", async ({ skip }) => {
  const dataDir = smallDisk(skip);
  const root = join(dataDir, "..", "root");
  mkdirSync(root);
  writeFileSync(join(root, "f"), "line\n".repeat(200_000));
  for (let at = 0; at < 300; at++) writeFileSync(join(root, `file${at}`), "");
  const ops = createLinuxOps({ roots: [root], dataDir });
  onTestFinished(() => ops.close());
  await ops.call("linux.fs_read", { path: "file1" });
  writeFileSync(join(dataDir, "filler"), Buffer.alloc(1024), { flag: "w" });
  execFileSync("sh", ["-c", `cat /dev/zero > '${dataDir}/filler' 2>/dev/null || true`]);

  const read = await ops.call("linux.fs_read", { path: "f", max_lines: 1 });
  expect(read).toMatchObject({ content: "line\n", handle: null, meta: { next_offset_lines: 1 } });
  const listed = await ops.call("linux.fs_list", { path: ".", max_entries: 1 });
  expect(listed).toMatchObject({ handle: null, truncated: true });
});
