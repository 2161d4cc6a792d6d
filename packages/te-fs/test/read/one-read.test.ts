import { createHash } from "node:crypto";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { countLines, createLineIndexCache, readBytes, readSlice } from "../../src/index.js";
import { codeOf, freshDir, plant } from "../../../te-path/test/tree.js";
import { eagerIndex, filesIn, wide } from "../files.js";
import { watchReads } from "../watched-reads.js";

const me = { owner: "o", session: "s" };
const line = "a line of some words\n";

test.each([100, 10_000, 40_000])("a file of %d lines is read once, whatever is wanted of it", async (lines) => {
  const root = freshDir();
  const content = line.repeat(lines);
  plant(root, { f: content });
  const files = filesIn(root);
  const seen = watchReads();
  await using file = await files.read("f", { session: me.session });
  const head = await readBytes(file, { offset: 0, length: 12 });
  const lineIndex = createLineIndexCache({ maxFiles: 1 });
  const slice = await readSlice(file, { ...wide, offsetLines: lines - 1, keepWholeUpTo: content.length, lineIndex });
  const count = await countLines(file, { lineIndex });
  expect(seen).toEqual([{ fd: seen[0]?.fd, position: 0, count: content.length }]);
  expect([String(head), slice.content, String(slice.whole) === content, slice.totalLines, count]).toEqual([
    line.slice(0, 12),
    line,
    true,
    lines,
    lines,
  ]);
});

test("a page of a file that is opened for no session is of the same read as its scan", async () => {
  const root = freshDir();
  plant(root, { f: line.repeat(1000) });
  const files = filesIn(root);
  const seen = watchReads();
  await using file = await files.open("f");
  await readSlice(file, { ...wide, offsetLines: 500, maxLines: 1 });
  expect(seen.map(({ count }) => count)).toEqual([line.length * 1000]);
});

test("a page of a file whose lines are known is read alone", async () => {
  const root = freshDir();
  plant(root, { f: line.repeat(40_000) });
  const files = filesIn(root);
  const { cache: lineIndex } = eagerIndex();
  const page = { ...wide, maxLines: 1, offsetLines: 20_000, lineIndex };
  for (const expected of [line.length * 40_000, 128 * 1024]) {
    const seen = watchReads();
    await using file = await files.read("f", { session: me.session, lineIndex });
    expect((await readSlice(file, page)).content).toBe(line);
    expect(seen.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(expected);
  }
});

test("a large file is read piece by piece", async () => {
  const root = freshDir();
  plant(root, { f: line.repeat(100_000) });
  const files = filesIn(root);
  await using file = await files.read("f", { session: me.session });
  const seen = watchReads();
  const lastBytes = await readBytes(file, { offset: line.length * 99_999, length: 100 });
  expect([String(lastBytes), seen.map(({ count }) => count)]).toEqual([line, [line.length]]);
});

test("the answer and the session's memory are of one state, though the file changes between two questions", async () => {
  const root = freshDir();
  plant(root, { f: "one\n" });
  const files = filesIn(root);
  await using file = await files.read("f", { session: me.session });
  await readBytes(file, { offset: 0, length: 1 });
  appendFileSync(join(root, "f"), "two\n");
  const slice = await readSlice(file, wide);
  expect([slice.content, slice.changed]).toEqual(["one\n", false]);
  expect(await codeOf(files.write("f", Buffer.from("mine"), { ...me, mode: "rewrite" }))).toBe("STALE_FILE");
});

test("a session that opened a file and read nothing of it has not seen it", async () => {
  const root = freshDir();
  plant(root, { f: "one\n" });
  const files = filesIn(root);
  await (await files.read("f", { session: me.session })).close();
  writeFileSync(join(root, "f"), "two, by another program\n");
  const { wasChanged } = await files.write("f", Buffer.from("mine"), { ...me, mode: "rewrite" });
  expect(wasChanged).toBe(false);
});

test("a session knows a small file again by its content, and a larger one by its state", async () => {
  const root = freshDir();
  const large = "x".repeat(300 * 1024);
  plant(root, { small: "one\n", large });
  const files = filesIn(root);
  for (const path of ["small", "large"]) {
    await using file = await files.read(path, { session: me.session });
    await readSlice(file, { ...wide, maxLines: 1 });
  }
  writeFileSync(join(root, "small"), "one\n");
  writeFileSync(join(root, "large"), large);
  const rewrite = (path: string) => files.write(path, Buffer.from("mine"), { ...me, mode: "rewrite" });
  expect((await rewrite("small")).sha256).toBe(createHash("sha256").update("mine").digest("hex"));
  expect(await codeOf(rewrite("large"))).toBe("STALE_FILE");
});
