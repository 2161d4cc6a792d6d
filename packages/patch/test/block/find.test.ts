import fc from "fast-check";
import { expect, test } from "vitest";
import { finderOf, occurrencesOf, steadyFinder } from "../../src/block/find.js";

const few = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 300 });

/** The same by the native search. */
function plainly(text: string, wanted: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) starts.push(at);
  return starts;
}

test("property: it finds what the native search finds, from everywhere", () => {
  fc.assert(
    fc.property(few, few, fc.nat(400), (text, wanted, from) => {
      fc.pre(wanted !== "" && from <= text.length);
      expect(finderOf(text, wanted)(from)).toBe(text.indexOf(wanted, from));
      expect(steadyFinder(text, wanted)(from)).toBe(text.indexOf(wanted, from));
    }),
  );
});

test("property: long blocks that repeat themselves are found by it as well", () => {
  const piece = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 6 });
  const long = fc.tuple(piece, fc.integer({ min: 1, max: 60 }), piece).map(([a, n, b]) => a.repeat(n) + b);
  fc.assert(
    fc.property(fc.array(long, { maxLength: 12 }), long, (pieces, wanted) => {
      const text = [...pieces, wanted, ...pieces].join("");
      const starts = plainly(text, wanted);
      expect(occurrencesOf(text, wanted, 1000)).toEqual({ count: starts.length, starts });
    }),
    { numRuns: 500 },
  );
});

test("occurrences do not overlap, all are counted and only the first kept", () => {
  expect(occurrencesOf("aaaaaaa", "aa", 2)).toEqual({ count: 3, starts: [0, 2] });
  expect(occurrencesOf("", "a", 2)).toEqual({ count: 0, starts: [] });
});

// The native search takes minutes for each of these: that is how it would be seen if it were used.
test.for([
  ["in the middle", (half: string) => `${half}b${half}`],
  ["at the end", (half: string) => `${half}${half}b`],
  ["in front", (half: string) => `b${half}${half}`],
  ["near the end", (half: string) => `${half}${half.slice(0, 1000)}b${half.slice(1000)}`],
])("a block of a million letters that differs from the text %s is searched in no time", ([, block]) => {
  const text = "a".repeat(2_000_000);
  const wanted = (block as (half: string) => string)("a".repeat(500_000));
  expect(finderOf(text, wanted)(0)).toBe(-1);
  expect(finderOf(`c${text}c${wanted}`, wanted)(7)).toBe(text.length + 2);
});
