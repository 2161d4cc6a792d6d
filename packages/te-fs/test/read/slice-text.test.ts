import { writeFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readSlice, sliceText } from "../../src/index.js";
import { freshDir } from "../../../te-path/test/tree.js";
import { filesIn, wide } from "../files.js";

test("text in memory is sliced as a file with the same bytes is", async () => {
  const folder = freshDir();
  const files = filesIn(folder);
  const line = fc.string({ unit: fc.constantFrom("a", "é", "\r", "\n", "😀", " "), maxLength: 30 });
  const run = fc.asyncProperty(
    fc.array(line, { maxLength: 20 }).map((lines) => Buffer.from(lines.join("\n"))),
    fc.record({
      offsetLines: fc.nat(25),
      maxLines: fc.integer({ min: 1, max: 9 }),
      tailLines: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
      maxBytes: fc.integer({ min: 1, max: 60 }),
      maxLineChars: fc.integer({ min: 1, max: 40 }),
    }),
    async (bytes, wanted) => {
      writeFileSync(`${folder}/f`, bytes);
      await using file = await files.open("f");
      const slice = await readSlice(file, { ...wanted, keepWholeUpTo: 0 });
      expect({ ...slice, ...(await sliceText(bytes, wanted)) }).toEqual(slice);
    },
  );
  await fc.assert(run, { numRuns: 300 });
  files.close();
});

test("a million lines leave turns to others, and end when the caller does", async () => {
  const text = Buffer.alloc(2_000_000, "a\n");
  const abort = new AbortController();
  const slicing = sliceText(text, { ...wide, maxLines: 1, signal: abort.signal });
  await nextTurn();
  abort.abort();
  await expect(slicing).rejects.toMatchObject({ code: "CANCELLED" });
});
