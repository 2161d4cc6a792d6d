import fc from "fast-check";
import { expect, test } from "vitest";
import { rounded, summarise } from "../../src/report/stats.js";

test("the median is the middle sample, whatever order they came in", () => {
  expect(summarise([9, 1, 5])).toEqual({ median: 5, p95: 9, n: 3 });
});

test("the median of an even number of samples is the mean of the middle two", () => {
  expect(summarise([4, 1, 3, 2]).median).toBe(2.5);
});

test("95 of 100 samples are no higher than the p95", () => {
  const samples = Array.from({ length: 100 }, (_, index) => index + 1);
  expect(summarise(samples).p95).toBe(95);
});

test("where low is bad, 95 of 100 samples are no lower than the p95", () => {
  const samples = Array.from({ length: 100 }, (_, index) => index + 1);
  expect(summarise(samples, "low")).toEqual({ median: 50.5, p95: 6, n: 100 });
});

test("no samples have no summary", () => {
  expect(() => summarise([])).toThrow(RangeError);
});

test("samples are left in their order", () => {
  const samples = [3, 1, 2];
  summarise(samples);
  expect(samples).toEqual([3, 1, 2]);
});

test("a median lies between the lowest and the p95 for any samples", () => {
  const some = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1 });
  fc.assert(
    fc.property(some, (samples) => {
      const { median, p95 } = summarise(samples);
      expect(median).toBeGreaterThanOrEqual(Math.min(...samples));
      expect(median).toBeLessThanOrEqual(p95);
    }),
  );
});

test.for([
  [0, 0],
  [0.012_345, 0.012],
  [0.123_45, 0.123],
  [1.234_5, 1.23],
  [12.345, 12.3],
  [1_234.5, 1_235],
  [0.000_12, 0],
] as const)("%d is shown as %d", ([value, shown]) => {
  expect(rounded(value)).toBe(shown);
});
