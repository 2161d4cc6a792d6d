import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { createLinuxOps } from "../../../src/index.js";
import { numbered, test } from "../../helpers.js";

test("a full data folder is not in the way of reading and listing: the answer has no handle", async ({
  root,
  skip,
}) => {
  const dataDir = join(root, "..", `${root.split("/").at(-1) ?? ""}-full`);
  mkdirSync(dataDir);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=16k", "tmpfs", dataDir], { stdio: "ignore" });
  } catch {
    skip("mounts need rights that this user does not have");
  }
  onTestFinished(() => void execFileSync("umount", ["--lazy", dataDir]));
  writeFileSync(join(dataDir, "filler"), Buffer.alloc(16 * 1024));
  for (let at = 0; at < 30; at++) writeFileSync(join(root, `f${at}`), numbered(500));
  const ops = createLinuxOps({ roots: [root], dataDir });
  const read = await ops.call("linux.fs_read", { path: "f1", max_lines: 2 });
  expect(read).toMatchObject({ content: "1\n2\n", handle: null, meta: { truncated: true, next_offset_lines: 2 } });
  const list = await ops.call("linux.fs_list", { path: ".", max_entries: 5 });
  expect(list).toMatchObject({ truncated: true, handle: null });
  await ops.close();
});
