import fc from "fast-check";
import { expect, test } from "vitest";
import { snippetIn, snippetOf } from "../../src/block/snippet.js";
import { unitTextOf } from "../../src/block/unit-text.js";

/** The snippet of what stands between two bars. */
function snippet(marked: string): string {
  const text = unitTextOf(Buffer.from(marked.replaceAll("|", "")));
  const units = Buffer.from(marked).toString("latin1");
  const from = units.indexOf("|");
  return snippetOf(text, { units: text.units, from, to: units.indexOf("|", from + 1) - 1 });
}

test.for([
  ["1\n2\n3\n4\n|5|\n6\n7\n8\n9\n", "2\n3\n4\n5\n6\n7\n8"],
  ["|1|\n2\n", "1\n2\n"],
  ["1\n2|\n3\n|4\n", "1\n2\n3\n4\n"],
  ["1\n2\n|3|", "1\n2\n3"],
  ["||", ""],
  ["1\n||2\n3", "1\n2\n3"],
  ["a\r\n|b\r\n|c\r\n", "a\nb\nc\n"],
  ["\n\n|\n|\n\n", "\n\n\n\n\n"],
  ["é|ü\nö|", "éü\nö"],
] as const)("of %j it is %j", ([marked, expected]) => {
  expect(snippet(marked)).toBe(expected);
});

const numbered = (count: number): string => Array.from({ length: count }, (_, n) => `line ${n + 1}`).join("\n");

test("of many lines the first and the last are shown, and how many are between", () => {
  expect(snippet(`a\n|${numbered(11)}|\nb`)).toBe(`a\n${numbered(11)}\nb`);
  const first = numbered(8);
  expect(snippet(`a\n|${numbered(12)}|\nb`)).toBe(`a\n${first}\n…[+1 lines]\nline 10\nline 11\nline 12\nb`);
  expect(snippet(`a\n|${numbered(500)}\n|b`)).toBe(`a\n${first}\n…[+489 lines]\nline 498\nline 499\nline 500\nb`);
});

test("long lines are cut around the part, and others at their end, with how much is left out", () => {
  const long = "0123456789".repeat(100);
  const shown = snippet(`${long}\n${long}|here|${long}\n${long}`).split("\n");
  expect(shown).toEqual([
    `${long.slice(0, 200)}…[+800 chars]`,
    `[+950 chars]…${long.slice(-50)}here${long.slice(0, 146)}…[+854 chars]`,
    `${long.slice(0, 200)}…[+800 chars]`,
  ]);
  expect(snippet(`${long}|end|`)).toBe(`[+803 chars]…${`${long}end`.slice(-200)}`);
});

test("no character is cut in half", () => {
  const shown = snippet(`${"日本".repeat(300)}|語|${"🙂é".repeat(300)}`);
  expect(shown).not.toContain("\ufffd");
  expect(shown).toMatch(/^\[\+\d+ chars\]…[日本]+語[🙂é]+…\[\+\d+ chars\]$/u);
  const [before, behind] = [...shown.matchAll(/\+(\d+) chars/g)].map(([, count]) => Number(count));
  const kept = shown.replaceAll(/\[\+\d+ chars\]|…/g, "");
  expect((before ?? 0) + kept.length + (behind ?? 0)).toBe(600 + 1 + 900);
});

test("property: of a file's bytes it is the same, whether all of it is looked at or a window", () => {
  const line = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.nat(6000).map((length) => "é".repeat(length)),
  );
  const encoded = fc.constantFrom(
    (text: string) => Buffer.from(text),
    (text: string) => Buffer.from(`\ufeff${text}`, "utf16le"),
    (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16(),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 40 }), encoded, fc.nat(), fc.nat(5000), (lines, encode, at, length) => {
      const content = encode(lines.join("\n"));
      const text = unitTextOf(content);
      const from = at % (text.units.length + 1);
      const part = { units: text.units, from, to: Math.min(text.units.length, from + length) };
      expect(snippetIn(text, content, part.from, part.to)).toBe(snippetOf(text, part));
    }),
  );
});

test("its size is bounded, whatever is replaced", () => {
  const line = "x".repeat(5000);
  const many = `${line}\n`.repeat(300);
  expect(snippet(`${many}|${many}|${many}`).length).toBeLessThan(20 * 250);
});
