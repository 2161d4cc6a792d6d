import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { moveAside } from "../../src/sqlite/data-file.js";
import { test } from "../drivers.js";

test("what belongs to a database moves with it, and an earlier one that was set aside is kept", async ({ dir }) => {
  const file = join(dir, "linuxops.db");
  const parts = ["", "-shm", "-wal"];
  const now = new Date("2025-12-01T18:00:00.123Z");
  for (const round of ["first", "second"]) {
    await Promise.all(parts.map((part) => writeFile(file + part, round + part)));
    moveAside(file, now);
  }
  const names = (await readdir(dir)).toSorted();
  const contents = await Promise.all(names.map(async (name) => [name, await readFile(join(dir, name), "utf8")]));
  expect(contents).toEqual([
    ["linuxops.db.corrupt-20251201T180000Z", "first"],
    ["linuxops.db.corrupt-20251201T180000Z-1", "second"],
    ["linuxops.db.corrupt-20251201T180000Z-1-shm", "second-shm"],
    ["linuxops.db.corrupt-20251201T180000Z-1-wal", "second-wal"],
    ["linuxops.db.corrupt-20251201T180000Z-shm", "first-shm"],
    ["linuxops.db.corrupt-20251201T180000Z-wal", "first-wal"],
  ]);
});
