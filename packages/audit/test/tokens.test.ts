import { estimateTokenCount } from "tokenx";
import { expect, test } from "vitest";
import { countTokens, roughTokens } from "../src/tokens.js";

const TEXT = "The quick brown fox jumps over the lazy dog. ";

test("a short text has the estimator's count, an empty one none", async () => {
  expect(await countTokens(TEXT)).toBe(estimateTokenCount(TEXT));
  expect(await countTokens("")).toBe(0);
});

test("a long text is counted in pieces, which changes little", async () => {
  const text = TEXT.repeat(2_000);
  const exact = estimateTokenCount(text);

  expect(Math.abs((await countTokens(text)) - exact) / exact).toBeLessThan(0.01);
});

test("of a huge text a part that is spread over all of it stands for the whole", async () => {
  const text = TEXT.repeat(40_000) + "日本語".repeat(300_000);
  const exact = (await countTokens(TEXT.repeat(4_000))) * 10 + (await countTokens("日本語".repeat(30_000))) * 10;

  expect(Math.abs((await countTokens(text)) - exact) / exact).toBeLessThan(0.05);
});

test("other work runs while a huge text is counted", async () => {
  let turns = 0;
  let counting = true;
  const turn = () => {
    turns += 1;
    if (counting) setImmediate(turn);
  };
  setImmediate(turn);
  await countTokens(TEXT.repeat(10_000));
  counting = false;

  expect(turns).toBeGreaterThan(8);
});

test("at a crash length stands for the count", () => {
  expect(roughTokens(TEXT)).toBe(12);
});
