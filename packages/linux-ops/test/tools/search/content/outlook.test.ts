import { expect, test } from "vitest";
import { costOf, Prices } from "../../../../src/tools/search/content/cost.js";
import { Outlook } from "../../../../src/tools/search/content/outlook.js";
import type { Candidate } from "../../../../src/tools/search/content/pick.js";
import { file } from "./made-up.js";

const candidates: readonly Candidate[] = Array.from({ length: 40 }, (_, nth) => {
  const one = file(`src/file-${nth}.ts`, "thing", { 10: `  return thing(of, some, ${nth});` });
  return { file: one, hit: one.hits[0] as (typeof one.hits)[number], isDefinition: false };
});
const own = candidates.reduce(
  (sum, { file: { path }, hit }) => sum + costOf(hit.line, hit.text).tokens + costOf(0, path).tokens,
  0,
);
const outlook = (tokens: number, lines: number): Outlook =>
  new Outlook(candidates, () => ({ before: lines, after: lines }), { tokens, prices: new Prices() });

test("hits that do not fit by themselves need no look at what stands around them", () => {
  expect(outlook(own - 1, 0).isHopeless(0)).toBe(true);
  expect(outlook(own, 0).isHopeless(0)).toBe(false);
});

test("what the first ones cost tells whether the rest will fit", () => {
  const tokensLeft = own + 32 * 2 * 10;
  const after = (tokens: number): boolean =>
    outlook(tokensLeft, 1).isHopeless(8, { tokensLeft, around: { tokens, lines: 16 } });
  expect(after(16 * 10)).toBe(false);
  expect(after(16 * 40)).toBe(true);
});
