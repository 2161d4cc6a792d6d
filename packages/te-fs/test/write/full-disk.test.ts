import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Files } from "../../src/index.js";
import { otherDisk } from "../../../te-path/test/other-disk.js";
import { failure, freshDir } from "../../../te-path/test/tree.js";
import { filesIn } from "../files.js";

const me = { owner: "o", session: "s" };

const write = (files: Files, bytes: number, mode: "rewrite" | "append") =>
  files.write("f", Buffer.alloc(bytes, "n"), { ...me, mode });

test.for(["rewrite", "append"] as const)(
  "a full disk: %s fails, the file is as it was, and nothing else stays",
  async (mode, { skip }) => {
    const disk = otherDisk(join(freshDir(), "disk"), skip, "size=256k");
    const files = filesIn(disk);
    writeFileSync(join(disk, "f"), "old");
    expect(await failure(write(files, 400_000, mode))).toEqual({
      code: "WRITE_FAILED",
      message: `${disk}/f could not be written: the disk is full`,
      remedy: { id: "free-space" },
    });
    expect([readFileSync(join(disk, "f"), "utf8"), readdirSync(disk)]).toEqual(["old", ["f"]]);
    // What the remedy says: room is made, and then it fits.
    writeFileSync(join(disk, "big"), Buffer.alloc(200_000));
    expect((await failure(write(files, 150_000, mode))).code).toBe("WRITE_FAILED");
    await files.remove("big", me);
    expect((await write(files, 150_000, mode)).bytesWritten).toBe(150_000);
  },
);

test("a disk with room for one more file takes any number of rewrites, one right after the other", async ({ skip }) => {
  const disk = otherDisk(join(freshDir(), "disk"), skip, "size=256k");
  const files = filesIn(disk);
  const writes = async (bytes: number, count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn++) await write(files, bytes, "rewrite");
  };
  writeFileSync(join(disk, "filler"), Buffer.alloc(120_000));
  await writes(60_000, 40);
  // Too long to be written here and now.
  await writes(10_000, 6);
  await writes(110_000, 1);
  expect(readFileSync(join(disk, "f"), "utf8")).toBe("n".repeat(110_000));
});

test("a full disk in the middle of a diff: all of its files are as they were", async ({ skip }) => {
  const disk = otherDisk(join(freshDir(), "disk"), skip, "size=256k");
  const files = filesIn(disk);
  writeFileSync(join(disk, "one"), "a\n");
  const long = Array.from({ length: 30 }, () => `+${"x".repeat(10_000)}\n`).join("");
  const diff = `--- a/one\n+++ b/one\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/sub/two\n@@ -0,0 +1,30 @@\n${long}`;
  expect((await failure(files.applyDiff(diff, { ...me, maxBytes: 10_000_000 }))).code).toBe("WRITE_FAILED");
  expect([readFileSync(join(disk, "one"), "utf8"), readdirSync(disk)]).toEqual(["a\n", ["one"]]);
});

test("a full state folder is not in the way: the file is written, without undo", async ({ skip }) => {
  const state = otherDisk(join(freshDir(), "disk"), skip, "size=64k");
  const root = freshDir();
  writeFileSync(join(state, "filler"), Buffer.alloc(64 * 1024));
  writeFileSync(join(root, "f"), Buffer.alloc(100_000, "o"));
  const written = await write(filesIn(root, { stateDir: state }), 10, "rewrite");
  expect(written).toMatchObject({ bytesWritten: 10, undo: null, undo_reason: expect.any(String) });
  expect(readFileSync(join(root, "f"), "utf8")).toBe("n".repeat(10));
});

test("a read-only file system says so", async ({ skip }) => {
  const disk = otherDisk(join(freshDir(), "disk"), skip, "size=64k");
  writeFileSync(join(disk, "f"), "old");
  execFileSync("mount", ["-o", "remount,ro", disk]);
  const files = filesIn(disk);
  for (const work of [write(files, 1, "rewrite"), write(files, 1, "append"), files.makeFolders("d", me)]) {
    expect(await failure(work)).toMatchObject({ code: "WRITE_FAILED", message: expect.stringContaining("read-only") });
  }
});

test("where the journal lies on the full disk, what is deleted then frees its room, and what is held makes way", async ({
  skip,
}) => {
  const disk = otherDisk(join(freshDir(), "disk"), skip, "size=4m");
  const root = join(disk, "root");
  mkdirSync(root);
  const files = filesIn(root, { stateDir: join(disk, "data") });
  const put = (name: string, bytes: number) => writeFileSync(join(root, name), Buffer.alloc(bytes, "x"));
  put("held", 1_000_000);
  expect((await files.remove("held", me)).undo).not.toBe(null);
  put("big", 2_000_000);
  put("small", 200_000);
  // More than five in a hundred are free, and yet it does not fit.
  const { code, remedy } = await failure(write(files, 1_500_000, "rewrite"));
  expect([code, remedy]).toEqual(["WRITE_FAILED", { id: "free-space" }]);
  expect(await files.remove("small", me)).toMatchObject({
    undo: null,
    undo_reason: "the disk was full a moment ago, and what is deleted is to make room",
  });
  await files.remove("big", me);
  expect((await write(files, 1_500_000, "rewrite")).bytesWritten).toBe(1_500_000);

  // Full to the brim: what undo has held goes, and nothing else has to be deleted.
  writeFileSync(join(root, "filler"), "");
  expect(() => put("filler", 4_000_000)).toThrow("ENOSPC");
  expect((await failure(write(files, 500_000, "append"))).code).toBe("WRITE_FAILED");
  await files.sweep();
  expect((await write(files, 500_000, "append")).bytesWritten).toBe(500_000);
});

test("below five in a hundred of free space what is deleted is not kept", async ({ skip }) => {
  const disk = otherDisk(join(freshDir(), "disk"), skip, "size=4m");
  const files = filesIn(disk, { stateDir: join(disk, "data"), privatePaths: [join(disk, "data")] });
  writeFileSync(join(disk, "one"), Buffer.alloc(100_000));
  writeFileSync(join(disk, "filler"), Buffer.alloc(3_900_000));
  expect(await files.remove("one", me)).toMatchObject({
    undo: null,
    undo_reason: "too little of the disk would stay free",
  });
  await files.remove("filler", me);
  writeFileSync(join(disk, "two"), Buffer.alloc(100_000));
  expect((await files.remove("two", me)).undo).not.toBe(null);
});
