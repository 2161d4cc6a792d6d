import fc from "fast-check";
import { expect, test } from "vitest";
import { snippetsOf } from "../../src/hits/snippets.js";
import { file, hit } from "./made-up.js";

/** What is shown of a file whose line n reads "n", with hits at some lines and others around them. */
function shown(at: readonly number[], numbers: readonly number[], picked = at) {
  const { path, way, ...one } = file("a.ts", "", Object.fromEntries(at.map((line) => [line, String(line)])));
  const hits = new Set(one.hits.filter(({ line }) => picked.includes(line)));
  const lines = new Map(numbers.map((line) => [line, String(line)]));
  return { file: { ...one, path, way }, hits, numbers: new Set([...picked, ...numbers]), lines };
}

test("a hit has the lines around it", () => {
  expect(snippetsOf(shown([5], [3, 4, 6, 7]), 0)).toEqual([
    { path: "/r/a.ts", line: 5, first_line: 3, snippet: "3\n4\n5\n6\n7" },
  ]);
});

test("neighbours share what is between them", () => {
  expect(snippetsOf(shown([5, 8], [4, 6, 7, 9]), 0)).toEqual([
    { path: "/r/a.ts", line: 5, first_line: 4, snippet: "4\n5\n6\n7" },
    { path: "/r/a.ts", line: 8, snippet: "8\n9" },
  ]);
});

test("between hits far apart there is a gap", () => {
  expect(snippetsOf(shown([5, 20], [4, 6, 19, 21]), 0)).toEqual([
    { path: "/r/a.ts", line: 5, first_line: 4, snippet: "4\n5\n6" },
    { path: "/r/a.ts", line: 20, first_line: 19, snippet: "19\n20\n21" },
  ]);
});

test("a hit whose line is shown around another one is a hit, while there is room", () => {
  const both = shown([5, 6, 7], [4, 6, 7], [5]);
  expect(snippetsOf(both, 1).map(({ line, snippet }) => [line, snippet])).toEqual([
    [5, "4\n5"],
    [6, "6\n7"],
  ]);
});

test("a hit that spans lines has them, and says where it ends", () => {
  const spanning = { ...file("a.ts", "", {}), hits: [hit(5, "5\n6", "5")] };
  const lines = new Map([4, 5, 6, 7].map((line) => [line, String(line)]));
  expect(
    snippetsOf({ file: spanning, hits: new Set(spanning.hits), numbers: new Set([4, 5, 6, 7]), lines }, 0),
  ).toEqual([{ path: "/r/a.ts", line: 5, first_line: 4, end_line: 6, snippet: "4\n5\n6\n7" }]);
});

test("a line that was cut says how much and where its match is", () => {
  const cut = { ...file("a.ts", "", {}), hits: [hit(5, "some text here", "text", { before: 100, after: 20 })] };
  expect(snippetsOf({ file: cut, hits: new Set(cut.hits), numbers: new Set([5]), lines: new Map() }, 0)).toEqual([
    { path: "/r/a.ts", line: 5, column: 106, snippet: "…some text here…[+20 chars]" },
  ]);
});

test("whatever is shown is told once, in order, and each hit stands in its own snippet", () => {
  const at = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(at, fc.nat(4), fc.nat(4), (hits, before, after) => {
      const sorted = hits.toSorted((a, b) => a - b);
      const window = (line: number) => Array.from({ length: before + after + 1 }, (_, index) => line - before + index);
      const numbers = [...new Set(sorted.flatMap(window))].filter((line) => line >= 1).toSorted((a, b) => a - b);
      const snippets = snippetsOf(shown(sorted, numbers), 0);
      expect(snippets.flatMap(({ snippet }) => snippet.split("\n").map(Number))).toEqual(numbers);
      for (const { line, first_line = line, snippet } of snippets)
        expect(snippet.split("\n")[line - first_line]).toBe(String(line));
    }),
  );
});
