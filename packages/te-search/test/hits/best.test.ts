import fc from "fast-check";
import { expect, test } from "vitest";
import { best } from "../../src/hits/best.js";

test("is the beginning of the sorted list, for any list", async () => {
  const pace = { due: () => false, rest: () => Promise.resolve() };
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(20)), fc.integer({ min: 1, max: 30 }), async (numbers, count) => {
      const items = numbers.map((weight, index) => ({ weight, index }));
      const sorted = items.toSorted((a, b) => a.weight - b.weight).slice(0, count);
      expect(await best(items, count, (a, b) => a.weight - b.weight, pace)).toEqual(sorted);
    }),
  );
});
