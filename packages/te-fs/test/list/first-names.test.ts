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

test("what is kept are the first names in order, as many as fit, and all are counted", () => {
  fc.assert(
    fc.property(fc.array(named, { maxLength: 200 }), fc.integer({ min: 0, max: 300 }), (names, maxBytes) => {
      const first = new FirstNames(maxBytes, 3);
      for (const [name, isFolder] of names) first.add(name, isFolder);
      const kept = first.inOrder();
      expect(kept).toEqual(inOrder(names).slice(0, kept.length));
      expect([first.count, first.lost]).toEqual([names.length, names.length - kept.length]);
      expect(first.bytes).toBe(kept.reduce((sum, name) => sum + name.length + 3, 0));
      expect(first.bytes).toBeLessThanOrEqual(2 * maxBytes + 9);
    }),
  );
});

test("nothing is lost before twice the room is taken, and then only down to the room", () => {
  const first = new FirstNames(40, 9);
  const lostAfter = ["h", "g", "f", "e", "d", "c", "b", "a", "i"].map((name) => {
    first.add(name, false);
    return first.lost;
  });
  expect([lostAfter, first.inOrder()]).toEqual([
    [0, 0, 0, 0, 0, 0, 0, 0, 5],
    ["a", "b", "c", "d"],
  ]);
});
