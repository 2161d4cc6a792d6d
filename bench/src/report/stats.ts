export interface Summary {
  readonly median: number;
  readonly p95: number;
  readonly n: number;
}

/**
 * The p95 is the bad end, by nearest rank: 95 of 100 samples are no worse, where `bad` says which way worse is.
 * The median of an even number is the mean of the middle two.
 */
export function summarise(samples: readonly number[], bad: "high" | "low" = "high"): Summary {
  if (samples.length === 0) throw new RangeError("nothing was measured");
  const sorted = samples.toSorted((a, b) => (bad === "high" ? a - b : b - a));
  const at = (index: number) => sorted[index] as number;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    p95: at(Math.ceil(sorted.length * 0.95) - 1),
    n: sorted.length,
  };
}

/** Three digits that count, and never more than three behind the point: noise is no precision. */
export function rounded(value: number): number {
  if (value === 0) return 0;
  const digits = Math.min(3, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))));
  return Number(value.toFixed(digits));
}
