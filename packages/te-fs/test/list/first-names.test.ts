import fc from "fast-check";
import { expect, test } from "vitest";
import { FirstNames } from "../../src/list/first-names.js";

const named = fc.tuple(fc.string({ minLength: 1, maxLength: 6 }), fc.boolean());

function inOrder(names: readonly (readonly [string, boolean])[]): string[] {
  const pick = (folders: boolean) =>
    names
      .filter(([, isFolder]) => isFolder === folders)
      .map(([name]) => name)
      .sort();
  return [...pick(true), ...pick(false)];
}

function keptBy(first: FirstNames): string[] {
  return [...first.folders(), ...first.others()];
}

test("what is kept are the first names in order, and all are counted", () => {
  const room = fc.integer({ min: 0, max: 300 });
  fc.assert(
    fc.property(fc.array(named, { maxLength: 200 }), room, room, (names, forAll, forSome) => {
      const first = new FirstNames({ bytesBeside: 3, forAll, forSome });
      for (const [name, isFolder] of names) first.add(name, isFolder);
      const kept = keptBy(first);
      expect(kept).toEqual(inOrder(names).slice(0, kept.length));
      expect([first.count, first.lost]).toEqual([names.length, names.length - kept.length]);
      expect(first.bytes).toBe(kept.reduce((sum, name) => sum + name.length + 3, 0));
      expect(first.bytes).toBeLessThanOrEqual(Math.max(forAll, 2 * forSome));
    }),
    { numRuns: 500 },
  );
});

test("nothing is lost up to the room for all; then as much is kept as there is room for some", () => {
  const first = new FirstNames({ bytesBeside: 9, forAll: 40, forSome: 20 });
  const lostAfter = ["h", "g", "f", "e", "d", "c", "b", "a", "i"].map((name) => {
    first.add(name, false);
    return first.lost;
  });
  expect([lostAfter, keptBy(first)]).toEqual([
    [0, 0, 0, 0, 3, 3, 3, 6, 7],
    ["a", "b"],
  ]);
});

test("many names are in order, too", () => {
  const first = new FirstNames({ bytesBeside: 1, forAll: 1e9, forSome: 0 });
  const names = Array.from({ length: 20_000 }, (_, index) => String((index * 7919) % 20_000));
  for (const [index, name] of names.entries()) first.add(name, index % 3 === 0);
  const pick = (folders: boolean) => names.filter((_, index) => (index % 3 === 0) === folders).sort();
  expect([[...first.folders()], [...first.others()]]).toEqual([pick(true), pick(false)]);
});

test("names that come in order are never sorted out again", () => {
  const first = new FirstNames({ bytesBeside: 1, forAll: 100, forSome: 50 });
  for (let index = 0; index < 100_000; index += 1) first.add(String(index).padStart(9, "0"), false);
  expect([first.count, first.lost, keptBy(first).at(-1)]).toEqual([100_000, 99_995, "000000004"]);
});
