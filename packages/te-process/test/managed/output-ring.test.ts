import fc from "fast-check";
import { expect, test } from "vitest";
import { OutputRing } from "../../src/managed/output-ring.js";

test("whatever is pushed, each byte that is kept stands at its place, and the rest is counted", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 1, max: 60 }),
      fc.array(fc.uint8Array({ maxLength: 90 }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 50 }),
      (headBytes, tailBytes, chunks, step) => {
        const ring = new OutputRing({ headBytes, tailBytes });
        for (const chunk of chunks) ring.push(Buffer.from(chunk));
        const all = Buffer.concat(chunks);
        expect(ring.total).toBe(all.length);

        let [at, lost] = [0, 0];
        while (at < all.length) {
          const slice = ring.slice(at, step);
          lost += slice.lost;
          expect(slice.from).toBe(at + slice.lost);
          expect(slice.bytes.equals(all.subarray(slice.from, slice.from + slice.bytes.length))).toBe(true);
          expect(slice.bytes.length).toBeGreaterThan(0);
          at = slice.from + slice.bytes.length;
        }
        expect(lost).toBe(Math.max(0, all.length - headBytes - tailBytes));
      },
    ),
    { numRuns: 500 },
  );
});

test("a large tail grows with what there is", () => {
  const ring = new OutputRing({ headBytes: 10, tailBytes: 1024 * 1024 });
  const all = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => at % 251));
  for (let at = 0; at < all.length; at += 70_001) ring.push(all.subarray(at, at + 70_001));

  const { bytes, from, lost } = ring.slice(10, all.length);

  expect([bytes.length, from, lost]).toEqual([1024 * 1024, all.length - 1024 * 1024, all.length - 1024 * 1024 - 10]);
  expect(bytes.equals(all.subarray(from))).toBe(true);
  expect(ring.slice(0, 100).bytes.equals(all.subarray(0, 10))).toBe(true);
});
