import fc from "fast-check";
import { expect, test } from "vitest";
import { nearestBlock, renderDifferences } from "../../src/nearest/nearest.js";

const code = Array.from({ length: 300 }, (_, n) =>
  n % 3 === 0 ? `function step${n}(input, output) {` : n % 3 === 1 ? `    return input + output * ${n};` : "}",
);

test("lines that are there are found, with nothing that differs", () => {
  expect(nearestBlock(code, code.slice(120, 126))).toEqual({
    line: 121,
    lines: 6,
    column: 0,
    endColumn: 1,
    score: 1,
    differences: [],
    differing: 0,
  });
});

test.for([
  ["indentation", "return input + output * 121;"],
  ["trailing whitespace", "    return input + output * 121;  "],
  ["line endings", "    return input + output * 121;\r"],
  ["spacing", "    return input+output * 121;"],
  ["letter case", "    return Input + output * 121;"],
  ["look-alike characters", "    return input\u00a0+ output * 121;"],
  ["text", "    return input - output * 121;"],
] as const)("a block of which one line differs in %s is found, and says so", ([kind, wanted]) => {
  const found = nearestBlock(code, [code[120] ?? "", wanted, "}"]);
  expect({ ...found, score: 0 }).toEqual({
    line: 121,
    lines: 3,
    column: 0,
    endColumn: 1,
    score: 0,
    differences: [{ line: 122, wanted, found: "    return input + output * 121;", kinds: [kind] }],
    differing: 1,
  });
  expect(found?.score).toBeGreaterThan(0.9);
});

test("a line that the needle forgot, and one it made up, are named where they stand", () => {
  const needle = [code[120] ?? "", "}", code[123] ?? "", "    log(output);", code[124] ?? "", "}"];
  expect(nearestBlock(code, needle)).toMatchObject({
    line: 121,
    lines: 6,
    differences: [
      { line: 122, wanted: null, found: code[121], kinds: ["only in the file"] },
      { line: 125, wanted: "    log(output);", found: null, kinds: ["missing in the file"] },
    ],
  });
});

test("of places that are alike the one that is most alike is found", () => {
  const haystack = [
    "a = load(1);",
    "save(a, true);",
    "",
    "a = load(2);",
    "save(a, true);",
    "",
    "a = load(3);",
    "save(b);",
  ];
  expect(nearestBlock(haystack, ["a = load(2);", "save(a,true);"])?.line).toBe(4);
});

const rows = Array.from({ length: 30 }, (_, n) => `row ${n}`);

test("a number that both have tells a line from others that are as much alike otherwise", () => {
  const whole = nearestBlock(rows, ["rowx 19", "rowx 20", "rowx 21"]);
  expect([whole?.line, whole?.lines]).toEqual([20, 3]);
  expect(nearestBlock(rows, ["rowx 23"], { ends: "partial" })?.line).toBe(24);
});

test("of places that are as much alike the one that is nearest to the supposed line is found", () => {
  const alike = Array.from({ length: 40 }, (_, n) => (n % 4 === 0 ? "begin();" : n % 4 === 1 ? "work(a);" : "rest();"));
  const at = (near: number) => nearestBlock(alike, ["begin();", "work(b);"], { near })?.line;
  expect([at(0), at(17), at(30), at(39)]).toEqual([1, 17, 29, 37]);
});

test("whitespace alone does not hide a block, whatever its lines are", () => {
  expect(nearestBlock(["x", "  {", "\t}", "y"], ["{", "}"])).toMatchObject({ line: 2, lines: 2 });
});

test("a needle that hangs over the top or the bottom is found by the rest of it", () => {
  expect(nearestBlock(code, ["import x;", ...code.slice(0, 3)])).toMatchObject({ line: 1, lines: 3 });
  expect(nearestBlock(code, [...code.slice(-3), "export x;"])).toMatchObject({ line: 298, lines: 3 });
});

test.for([
  ["nothing alike", code, ["SELECT name FROM users", "WHERE id = 7"]],
  ["no needle", code, []],
  ["a blank needle", code, ["", "  "]],
  ["no haystack", [], ["x"]],
  ["a blank haystack", [""], ["x"]],
] as const)("%s gives null", ([, haystack, needle]) => {
  expect(nearestBlock(haystack, needle)).toBeNull();
  expect(nearestBlock(haystack, needle, { ends: "partial" })).toBeNull();
});

test("with partial ends a part of a line is found where it stands in it", () => {
  const found = nearestBlock(code, ["step150(input, ouput"], { ends: "partial" });
  expect(found).toMatchObject({ line: 151, lines: 1, column: 9, endColumn: 30 });
  expect(found?.differences).toEqual([
    { line: 151, wanted: "step150(input, ouput", found: "step150(input, output", kinds: ["text"] },
  ]);
});

test("with partial ends a block may begin and end within lines", () => {
  const needle = ["step150(input, output) {", "  return input + output * 151;", "}", "function step153(in"];
  const found = nearestBlock(code, needle, { ends: "partial" });
  expect(found).toMatchObject({ line: 151, lines: 4, column: 9, endColumn: 19, differing: 1 });
});

test("with partial ends a first line is found at the end of its line though it differs, and a last one at the beginning", () => {
  const needle = ["step150(input,output) {", "    return input + output * 151;", "}", "function  step153(in"];
  const found = nearestBlock(code, needle, { ends: "partial" });
  expect(found).toMatchObject({ line: 151, lines: 4, column: 9, endColumn: 19, differing: 2 });
});

test("a part of one endless line is found in it", () => {
  const line = code.join(" ").repeat(20);
  const at = line.indexOf("step270", line.length / 2);
  const found = nearestBlock([line], ["step270( input,output ) {     return"], { ends: "partial" });
  expect(line.slice(found?.column, found?.endColumn)).toBe("step270(input, output) {     return");
  expect(at).toBeGreaterThan(0);
});

test("an endless line beside ordinary ones does not draw the search to it", () => {
  const endless = code.join(" ");
  expect(
    nearestBlock(
      [...code, endless],
      code.slice(120, 123).map((line) => ` ${line}`),
    )?.line,
  ).toBe(121);
});

test("what lies behind the budget is not looked at", () => {
  const needle = ["function step297(input,output) {"];
  expect(nearestBlock(code, needle)?.line).toBe(298);
  expect(nearestBlock(code, needle, { budget: 2000 })?.line ?? 0).toBeLessThan(100);
});

test("a needle of thousands of lines is compared to its end", () => {
  const long = Array.from({ length: 5000 }, (_, n) => `entry ${n * 7} of the list`);
  const needle = long.slice(500, 4500).map((line, n) => (n === 3900 ? `${line} ` : line));
  expect(nearestBlock(long, needle)).toMatchObject({
    line: 501,
    lines: 4000,
    differences: [{ line: 4401, kinds: ["trailing whitespace"] }],
    differing: 1,
  });
});

test("differences are bounded, their number is exact", () => {
  const found = nearestBlock(
    code,
    code.map((line) => `${line} `),
  );
  expect({ listed: found?.differences.length, all: found?.differing }).toEqual({ listed: 40, all: 300 });
});

const word = fc.constantFrom("alpha", "beta", "gamma", "delta", "omega", "(", ")", "{", "}", "=", "0", "1", "2");
const randomLine = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));

test("property: a block taken from the text is found there or at an equal place, whatever was done to its whitespace", () => {
  const blanks = fc.constantFrom("", " ", "  ", "\t", "\t\t");
  fc.assert(
    fc.property(
      fc.array(randomLine, { minLength: 1, maxLength: 60 }),
      fc.nat(),
      fc.integer({ min: 1, max: 12 }),
      fc.array(fc.tuple(blanks, blanks), { minLength: 12, maxLength: 12 }),
      (haystack, from, length, damage) => {
        const start = from % haystack.length;
        const block = haystack.slice(start, start + length);
        fc.pre(block.some((line) => line.trim() !== ""));
        const needle = block.map((line, n) => `${damage[n]?.[0]}${line}${damage[n]?.[1]}`);
        const found = nearestBlock(haystack, needle);
        expect(found).not.toBeNull();
        const ink = (lines: readonly string[]) => lines.join("\n").replaceAll(/\s/g, "");
        const there = haystack.slice((found?.line ?? 0) - 1, (found?.line ?? 0) - 1 + (found?.lines ?? 0));
        expect(ink(there)).toBe(ink(block));
      },
    ),
  );
});

test("property: whatever both are, it ends, and names lines and columns that exist", () => {
  const any = fc.array(fc.string({ unit: "binary", maxLength: 40 }), { maxLength: 12 });
  fc.assert(
    fc.property(any, any, fc.constantFrom("whole", "partial"), (haystack, needle, ends) => {
      const found = nearestBlock(haystack, needle, { ends });
      if (found === null) return;
      const last = haystack[found.line + found.lines - 2];
      expect(found.line).toBeGreaterThan(0);
      expect(last).toBeDefined();
      expect(found.column).toBeLessThanOrEqual(haystack[found.line - 1]?.length ?? -1);
      expect(found.endColumn).toBeLessThanOrEqual(last?.length ?? -1);
      expect(found.score === 1).toBe(found.differing === 0);
      expect(renderDifferences(found.differences, { maxChars: 300 }).length).toBeLessThanOrEqual(300);
    }),
  );
});
