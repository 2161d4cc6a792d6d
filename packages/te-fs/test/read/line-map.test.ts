import { appendFileSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { countLines, createLineIndexCache, type LineIndexCache } from "../../src/index.js";
import { freshDir, plant } from "../../../te-path/test/tree.js";
import { eagerIndex, filesIn, slice } from "../files.js";

const identity = (ino: bigint, ctimeMs: number) => ({
  dev: 1n,
  ino,
  size: 9n,
  mtimeNs: 5n,
  ctimeNs: BigInt(ctimeMs) * 1_000_000n,
});
const map = (lines: number) => ({ lines }) as Parameters<LineIndexCache["set"]>[1];

test("a map is kept only for a file whose last change is two seconds old when it is read", () => {
  const cache = createLineIndexCache({ maxFiles: 10 });
  cache.set(identity(1n, 10_000), map(1), 11_999);
  cache.set(identity(2n, 10_000), map(2), 12_000);
  expect([cache.get(identity(1n, 10_000)), cache.get(identity(2n, 10_000))?.lines]).toEqual([undefined, 2]);
});

test.for(["size", "mtimeNs", "ctimeNs", "dev", "ino"] as const)("a file with another %s has another map", (field) => {
  const cache = createLineIndexCache({ maxFiles: 10 });
  const known = identity(1n, 0);
  cache.set(known, map(1), 10_000);
  expect([cache.get({ ...known, [field]: 77n }), cache.get({ ...known })?.lines === 1 || field]).toEqual([
    undefined,
    field === "dev" || field === "ino" ? true : field,
  ]);
});

test("the file that was used longest ago is forgotten first", () => {
  const cache = createLineIndexCache({ maxFiles: 2 });
  for (const ino of [1n, 2n]) cache.set(identity(ino, 0), map(Number(ino)), 10_000);
  cache.get(identity(1n, 0));
  cache.set(identity(3n, 0), map(3), 10_000);
  expect([1n, 2n, 3n].map((ino) => cache.get(identity(ino, 0))?.lines)).toEqual([1, undefined, 3]);
});

const lines = Array.from({ length: 50_000 }, (_, n) => `line number ${n} of many\n`);

test("with a map a slice is the same, and only the bytes that it needs are read", async () => {
  const root = plant(freshDir(), { f: lines.join("") });
  const files = filesIn(root);
  const { cache, hits } = eagerIndex();
  await slice(files, "f", { maxLines: 1, lineIndex: cache });
  await using file = await files.open("f");
  const bytesBefore = bytesRead();
  const warm = await slice(files, "f", { offsetLines: 40_000, maxLines: 3, lineIndex: cache });
  const read = bytesRead() - bytesBefore;
  const tail = await slice(files, "f", { tailLines: 2, lineIndex: cache });
  expect([warm.content, tail.content, await countLines(file, { lineIndex: cache }), hits()]).toEqual([
    lines.slice(40_000, 40_003).join(""),
    lines.slice(-2).join(""),
    50_000,
    3,
  ]);
  // One stride to find the line, one piece for the slice, and the mount table.
  expect(read).toBeLessThan(300_000);
});

test("a line that no longer fits is not read to its end", async () => {
  const root = plant(freshDir(), { f: `first\n${"x".repeat(10_000_000)}\n` });
  const files = filesIn(root);
  const { cache } = eagerIndex();
  await slice(files, "f", { lineIndex: cache });
  const before = bytesRead();
  const { content, nextOffsetLines, cutLines } = await slice(files, "f", { maxBytes: 100, lineIndex: cache });
  expect({ content, nextOffsetLines, cutLines }).toEqual({ content: "first\n", nextOffsetLines: 1, cutLines: [] });
  expect(bytesRead() - before).toBeLessThan(300_000);
});

test("lines at the borders of the map's strides are found", async () => {
  const root = plant(freshDir(), { f: lines.join("") });
  const files = filesIn(root);
  const { cache } = eagerIndex();
  const text = lines.join("");
  for (let border = 65_536; border < text.length; border += 65_536) {
    const before = text.slice(0, border).split("\n").length - 1;
    for (const offsetLines of [before - 1, before, before + 1]) {
      const { content } = await slice(files, "f", { offsetLines, maxLines: 1, lineIndex: cache });
      expect(content).toBe(lines[offsetLines]);
    }
  }
});

/** What this process has read so far, by the kernel's count. */
function bytesRead(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}

test("a file that changed is read anew, also when its time was put back", async () => {
  const root = plant(freshDir(), { f: "a\nb\n" });
  const files = filesIn(root);
  const { cache } = eagerIndex();
  const total = async () => (await slice(files, "f", { lineIndex: cache })).totalLines;
  const seen = [await total()];
  appendFileSync(`${root}/f`, "c\n");
  seen.push(await total());
  writeFileSync(`${root}/g`, "x\ny\nz");
  utimesSync(`${root}/g`, 1, 1);
  renameSync(`${root}/g`, `${root}/f`);
  seen.push(await total());
  expect(seen).toEqual([2, 3, 3]);
});

test("a whole file that is asked for is read whole, map or not", async () => {
  const root = plant(freshDir(), { f: "a\nb\n" });
  const files = filesIn(root);
  const { cache } = eagerIndex();
  await slice(files, "f", { lineIndex: cache });
  expect(String((await slice(files, "f", { lineIndex: cache, keepWholeUpTo: 100 })).whole)).toBe("a\nb\n");
});
