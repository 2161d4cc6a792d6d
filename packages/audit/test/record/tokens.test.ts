import { estimateTokens } from "@llmc/toolkit";
import { expect, test } from "vitest";
import { countTokens } from "../../src/record/tokens.js";

const TEXT = "The quick brown fox jumps over the lazy dog. ";

test("a short text has the estimator's count, an empty one none", () => {
  expect(countTokens(TEXT)).toBe(estimateTokens(TEXT));
  expect(countTokens("")).toBe(0);
});

test("a long text is counted in pieces, which changes little", () => {
  const text = TEXT.repeat(2_000);
  const exact = estimateTokens(text);

  expect(Math.abs(countTokens(text) - exact) / exact).toBeLessThan(0.01);
});

test("of a huge text a part that is spread over all of it stands for the whole", () => {
  const text = TEXT.repeat(40_000) + "日本語".repeat(300_000);
  const exact = estimateTokens(text);

  expect(Math.abs(countTokens(text) - exact) / exact).toBeLessThan(0.05);
});
