import { expect, test } from "vitest";
import { SURELY } from "../../src/search/definition.js";
import { createHarvest } from "../../src/search/harvest.js";
import { bareHit } from "../../src/search/snippets.js";
import { file, hit } from "./made-up.js";

const cut = file('cut "it".ts', "thing", {});
const FILES = [
  {
    ...cut,
    count: 2,
    hits: [hit(3, "the thing", "thing", { before: 4, after: 9 }), hit(7, "thing\nand\nmore", "thing")],
  },
  file("a.ts", "thing", { 1: 'thing("quoted")', 5: "function thing() {" }),
  file("b.ts", "thing", { 2: "// a thing" }),
];

function harvested(maxChars: number): ReturnType<typeof createHarvest> {
  const harvest = createHarvest({ isRanked: true, maxChars });
  for (const one of FILES) for (const hit of one.hits) harvest.onHit(hit, one);
  return harvest;
}

test("the hits of a file stand in JSON as one by one", () => {
  const { textOf } = harvested(10_000);
  for (const one of FILES)
    expect(JSON.parse(`[${textOf(one)}]`)).toEqual(one.hits.map((hit) => bareHit(one.path, hit)));
  expect(textOf(file("c.ts", "x", { 1: "x" }))).toBeUndefined();
});

test("what is beyond the bound is not kept, and no part of it is taken for all", () => {
  const { textOf, scoresOf } = harvested(100);
  expect(FILES.map(textOf)).toEqual([undefined, undefined, undefined]);
  expect(FILES.flatMap(scoresOf)).toEqual([0, 0, 0, SURELY, 0]);
});
