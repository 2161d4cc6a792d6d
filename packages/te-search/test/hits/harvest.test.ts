import { SURELY } from "../../src/hits/definition-forms.js";
import type { HitFile } from "../../src/query/content-query.js";
import { expect, test } from "vitest";
import { createHarvest } from "../../src/hits/harvest.js";
import { bareHit } from "../../src/hits/snippets.js";
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

function harvested(maxBytes: number): ReturnType<typeof createHarvest> {
  const harvest = createHarvest({ isRanked: true, maxBytes });
  for (const one of FILES) for (const hit of one.hits) harvest.onHit(hit, one);
  return harvest;
}

const inJson = (files: readonly HitFile[]): unknown =>
  files.flatMap((one) => one.hits.map((hit) => bareHit(one.path, hit)));

test("the hits of the files that are asked for stand in JSON as one by one", () => {
  const { payloadOf } = harvested(10_000);
  for (const files of [FILES, FILES.slice(1), [FILES[2] as HitFile, FILES[0] as HitFile]])
    expect(JSON.parse(`${payloadOf(files)?.toString()}`)).toEqual(inJson(files));
  expect(payloadOf([file("c.ts", "x", { 1: "x" })])).toBeUndefined();
});

test("what is beyond the bound is not kept, and no part of it is taken for all", () => {
  const { payloadOf, scoresOf } = harvested(100);
  expect(payloadOf(FILES)).toBeUndefined();
  expect(FILES.flatMap(scoresOf)).toEqual([0, 0, 0, SURELY, 0]);
});

test("texts of any length and alphabet have room", () => {
  const text = "thing € 😀 ".repeat(9000);
  const long = file("é.ts", "thing", { 1: text, 2: text });
  const harvest = createHarvest({ isRanked: false, maxBytes: 1_000_000 });
  for (const hit of long.hits) harvest.onHit(hit, long);
  expect(JSON.parse(`${harvest.payloadOf([long])?.toString()}`)).toEqual(inJson([long]));
});
