import * as fc from "fast-check";
import { expect, test } from "vitest";
import { closenessTo } from "../../src/missing/closeness.js";

/** The textbook's way, with all of the table. */
function edits(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, row) => [row]);
  const at = (row: number, column: number): number => table[row]?.[column] ?? 0;
  for (let column = 0; column <= other.length; column++) table[0]![column] = column;
  for (let row = 1; row <= one.length; row++) {
    for (let column = 1; column <= other.length; column++) {
      const cost = one[row - 1] === other[column - 1] ? 0 : 1;
      let best = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + cost);
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        best = Math.min(best, at(row - 2, column - 2) + 1);
      table[row]![column] = best;
    }
  }
  return at(one.length, other.length);
}

test("edits are counted as they are, up to a third of the letters and at most six", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(word, word, (one, other) => {
      fc.pre(one !== other && !one.includes(other) && !other.includes(one));
      const count = edits(one, other);
      const isNear = count <= Math.min(6, Math.floor(one.length / 3));
      expect(closenessTo(one)(other)).toBe(isNear ? 2 + count : undefined);
    }),
    { numRuns: 3000 },
  );
});

test("case, accents, marks and extensions make less of a difference than letters", () => {
  const names = ["a.ts", "caf\u00e9.md", "read-me", "readme.txt", "reedme", "what", "a.js"];
  const order = (wanted: string) =>
    names
      .map((name) => [closenessTo(wanted)(name), name] as const)
      .filter(([closeness]) => closeness !== undefined)
      .toSorted(([a], [b]) => Number(a) - Number(b))
      .map(([, name]) => name);
  expect([order("readme"), order("cafe\u0301.MD"), order("A.ts")]).toEqual([
    ["read-me", "readme.txt", "reedme"],
    ["caf\u00e9.md"],
    ["a.ts"],
  ]);
});

test("names of any length", () => {
  const long = "n".repeat(255);
  expect(["", "a", long, "n".repeat(1020)].map((name) => closenessTo(long)(name))).toEqual([
    undefined,
    undefined,
    0,
    5,
  ]);
});
