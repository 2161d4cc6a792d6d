import { expect, test } from "vitest";
import type { HitFile } from "../../src/index.js";
import { definitionScore } from "../../src/hits/definition.js";
import { fileRank, type FileRank } from "../../src/hits/file-rank.js";
import { pick } from "../../src/hits/pick.js";
import { file } from "./made-up.js";

const scoresOf = ({ hits }: HitFile): number[] => hits.map((hit) => definitionScore(hit));
const rankOf = ({ way }: HitFile): FileRank => fileRank(way);

async function picked(files: readonly HitFile[], count: number, more: object = {}): Promise<string[]> {
  const pace = { due: () => false, rest: () => Promise.resolve() };
  const candidates = await pick(files, {
    count,
    keepOrder: false,
    word: undefined,
    scoresOf,
    rankOf,
    templateOf: (line) => line,
    pace,
    ...more,
  });
  return candidates.map(({ file: { way }, hit: { line } }) => `${way}:${line}`);
}

const uses = (way: string, count: number): HitFile =>
  file(
    way,
    "thing",
    Object.fromEntries(Array.from({ length: count }, (_, index) => [index + 1, `  return thing(${index});`])),
  );

test("what defines the thing comes first, then one hit of each file by turns", async () => {
  const files = [
    uses("a.ts", 3),
    file("src/deep/thing.ts", "thing", { 7: "export function thing() {", 9: "thing();" }),
    uses("b.ts", 2),
  ];
  expect(await picked(files, 10)).toEqual([
    "src/deep/thing.ts:7",
    "a.ts:1",
    "b.ts:1",
    "src/deep/thing.ts:9",
    "a.ts:2",
    "b.ts:2",
    "a.ts:3",
  ]);
});

test("sources go before tests and words, and those before what is generated; the less deep goes first", async () => {
  const ways = [
    "dist/a.js",
    "test/a.ts",
    "src/deep/a.ts",
    "a.test.ts",
    "src/a.ts",
    "README.md",
    "x/node_modules/y/a.js",
  ];
  expect(
    await picked(
      ways.map((way) => uses(way, 1)),
      10,
    ),
  ).toEqual([
    "src/a.ts:1",
    "src/deep/a.ts:1",
    "README.md:1",
    "a.test.ts:1",
    "test/a.ts:1",
    "dist/a.js:1",
    "x/node_modules/y/a.js:1",
  ]);
});

test("a definition in a test goes after one in a source, and before mere uses", async () => {
  const defines = (way: string) => file(way, "thing", { 1: "function thing() {" });
  expect(await picked([uses("a.ts", 1), defines("test/a.ts"), defines("src/very/deep/a.ts")], 3)).toEqual([
    "src/very/deep/a.ts:1",
    "test/a.ts:1",
    "a.ts:1",
  ]);
});

test("the name itself goes before a name that holds it, and its own spelling before another", async () => {
  const files = [
    file("a.ts", "Thing", { 1: "class Thing {", 2: "class ThingBox {" }),
    file("b.ts", "thing", { 1: "class thing {" }),
  ];
  expect(await picked(files, 3, { word: "thing" })).toEqual(["b.ts:1", "a.ts:1", "a.ts:2"]);
});

test("imports come last in their file", async () => {
  const one = file("a.ts", "thing", { 1: 'import { thing } from "x";', 5: "  thing(1);" });
  expect(await picked([one], 2)).toEqual(["a.ts:5", "a.ts:1"]);
});

test("a pattern that matches nothing but definitions leaves room for other files", async () => {
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [index + 1, `function thing${index}() {`]));
  const order = await picked([file("a.ts", "thing", many), uses("b.ts", 20)], 10);
  expect(order.filter((one) => one.startsWith("b.ts")).length).toBe(2);
  expect(order.length).toBe(10);
});

test("an order that was asked for is kept, with the first hits of each file", async () => {
  const files = [uses("b.ts", 2), file("a.ts", "thing", { 1: "thing();", 2: "function thing() {" })];
  expect(await picked(files, 3, { keepOrder: true })).toEqual(["b.ts:1", "a.ts:1", "b.ts:2"]);
});

test("many hits are looked through in turns, and a cancel ends that", async () => {
  const files = Array.from({ length: 200 }, (_, index) => uses(`src/f${index}.ts`, 500));
  let [steps, turns] = [0, 0];
  const due = (): boolean => (steps += 1) % 1000 === 0;
  const options = { count: 100, keepOrder: false, word: undefined, scoresOf, rankOf, templateOf: String };
  await pick(files, { ...options, pace: { due, rest: async () => void (turns += 1) } });
  expect(turns).toBe(Math.floor(steps / 1000));
  expect(turns).toBeGreaterThan(50);
  const cancelled = pick(files, { ...options, pace: { due, rest: () => Promise.reject(new Error("enough")) } });
  await expect(cancelled).rejects.toThrow("enough");
});
