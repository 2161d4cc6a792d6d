import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSources } from "../src/house/sources.js";
import { moveProblems, nextBaseline, proseProblems, type Prose } from "../src/prose/baseline.js";
import { commentBlocks } from "../src/prose/comment-blocks.js";
import { HABIT_NAMES, sharesOf, type Habit, type Share, type Shares } from "../src/prose/habits.js";
import { proseReport, type Mode } from "../src/prose/report.js";
import { madeUpTree } from "./support/made-up-tree.js";

describe("a block of comment", () => {
  test.for([
    ["one line", "// Reads it.\nconst a = 1;", ["Reads it."]],
    ["neighbouring lines", "// Reads it\n//   and more.\n\n// Another.", ["Reads it   and more.", "Another."]],
    ["a comment of several lines", "/**\n * Reads\n * it.\n */\nconst a = 1;", ["Reads it."]],
    ["one line of documentation, indented", "  /** Reads it. */\n  a: 1,", ["Reads it."]],
    ["a comment without an end", "/* Reads\nit.", ["Reads it."]],
    ["no comment behind code", "const a = 1; // Reads it.\n", []],
    ["no directive to a tool", "// oxlint-disable-next-line x\n\n// @ts-expect-error\n\n// eslint-env node\n", []],
  ] as const)("is %s", ([, text, blocks]) => {
    expect(commentBlocks(text)).toEqual(blocks);
  });
});

function counts(comments: readonly string[]): Record<string, number> {
  const text = comments.map((comment) => `// ${comment}\n\n`).join("");
  const [one] = readSources(madeUpTree({ "packages/a/src/index.ts": text }));
  if (one === undefined) throw new Error("no package");
  const shares = Object.entries(sharesOf(one));
  expect(shares.map(([, { of }]) => of)).toEqual(HABIT_NAMES.map(() => comments.length));
  return Object.fromEntries(shares.flatMap(([habit, { count }]) => (count === 0 ? [] : [[habit, count]])));
}

test.for([
  ["starts with What/Where/Who", ["Whatever a file has.", "Where the mark stands.", "Whatsoever."], 2],
  ["what is/was/has/it/they", ["Reads what is there.", "Tells what others had.", "Somewhat is."], 2],
  ["whoever/nobody/somebody", ["Nobody reads it.", "For whoever asks.", "For a body."], 2],
  ["is no, are no", ["This is no file.", "There are no more.", "It is none.", "It is not a file."], 3],
  ["of it/them/one", ["The end of it.", "Some of them.", "The end of items."], 2],
] as const)("%s is counted once a block, by whole words", ([habit, comments, count]) => {
  expect(counts(comments)).toEqual({ [habit]: count });
});

/** Shares that are clean except for one habit. */
function shares(habit: Habit, share: Share): Shares {
  return Object.fromEntries(
    HABIT_NAMES.map((name) => [name, name === habit ? share : { count: 0, of: share.of }]),
  ) as Shares;
}

const HABIT = "of it/them/one";
const with1in = (of: number): Prose => ({ "packages/a": shares(HABIT, { count: 1, of }) });

test("a package may keep the shares of its row, or better them", () => {
  expect(proseProblems(with1in(10), with1in(10))).toEqual([]);
  expect(proseProblems(with1in(11), with1in(10))).toEqual([]);
});

test("a share may not get worse, however good it still is", () => {
  expect(proseProblems(with1in(999), with1in(1000))).toEqual([
    'packages/a: 1 of 999 comments (0.1 %) "of it/them/one"; there were 0.1 %.',
  ]);
});

test.for([
  ["starts with What/Where/Who", 200],
  ["what is/was/has/it/they", 100],
  ["whoever/nobody/somebody", 200],
  ["is no, are no", 100],
  ["of it/them/one", 50],
] as const)("in a package without a row, one of %o may be the most", ([habit, of]) => {
  const at = (blocks: number) => proseProblems({ "packages/new": shares(habit, { count: 1, of: blocks }) }, {});

  expect(at(of)).toEqual([]);
  expect(at(of - 1)).toEqual([expect.stringContaining(`"${habit}"; a new package may have`)]);
});

test("a row of a package that is gone has to go", () => {
  expect(proseProblems({}, with1in(10))).toEqual([
    "packages/a: is gone, but still has a row; run `pnpm prose --write`.",
  ]);
});

test("a new baseline takes what got better and keeps what got worse", () => {
  const before = { "packages/a": { ...with1in(10)["packages/a"], "is no, are no": { count: 5, of: 10 } } as Shares };
  const now = { "packages/a": { ...with1in(9)["packages/a"], "is no, are no": { count: 4, of: 9 } } as Shares };

  const row = nextBaseline(now, before, false)["packages/a"];

  expect(row?.[HABIT]).toEqual({ count: 1, of: 10 });
  expect(row?.["is no, are no"]).toEqual({ count: 4, of: 9 });
});

test("a new package gets a row when it is within the bounds, or when its comments moved there", () => {
  expect(nextBaseline(with1in(50), {}, false)).toEqual(with1in(50));
  expect(nextBaseline(with1in(49), {}, false)).toEqual({});
  expect(nextBaseline(with1in(49), {}, true)).toEqual(with1in(49));
});

test("a baseline after moves is what the sources say, and has no row of a package that is gone", () => {
  const before = {
    "packages/a": shares(HABIT, { count: 1, of: 10 }),
    "packages/b": shares(HABIT, { count: 0, of: 9 }),
  };

  expect(nextBaseline(with1in(5), before, true)).toEqual(with1in(5));
});

test("a move makes no share worse in all packages together", () => {
  const before = {
    "packages/a": shares(HABIT, { count: 4, of: 20 }),
    "packages/b": shares(HABIT, { count: 0, of: 20 }),
  };
  const moved = {
    "packages/a": shares(HABIT, { count: 1, of: 15 }),
    "packages/b": shares(HABIT, { count: 3, of: 25 }),
  };
  const more = { ...moved, "packages/b": shares(HABIT, { count: 4, of: 25 }) };

  expect(moveProblems(moved, before)).toEqual([]);
  expect(moveProblems(more, before)).toEqual([
    'all packages: 5 of 40 comments (12.5 %) "of it/them/one"; there were 10.0 %.',
  ]);
});

test("a package with old habits fails until its moved comments are accepted, and again where one more comes", () => {
  const wordy = "// What it is.\n";
  const root = madeUpTree({ "packages/a/src/index.ts": `${wordy}\n// Reads.\n` });
  mkdirSync(join(root, "scripts"));
  const problems = (mode: Mode) => proseReport(root, mode).problems.map((problem) => problem.slice(0, 31));
  const rows = () => Object.keys(JSON.parse(readFileSync(join(root, "scripts/prose.json"), "utf8")) as object);
  const refused = ["packages/a: 1 of 2 comments (50", "packages/a: 1 of 2 comments (50"];

  expect(problems("check")).toEqual(refused);
  expect(problems("write")).toEqual(refused);
  expect(rows()).toEqual([]);
  expect(problems("accept moves")).toEqual([]);
  expect(rows()).toEqual(["packages/a"]);
  expect(problems("check")).toEqual([]);

  writeFileSync(join(root, "packages/a/src/more.ts"), wordy);
  const worse = ["packages/a: 2 of 3 comments (66", "packages/a: 2 of 3 comments (66"];
  expect(problems("check")).toEqual(worse);
  expect(problems("write")).toEqual(worse);
  expect(problems("accept moves")).toEqual([
    "all packages: 2 of 3 comments (",
    "all packages: 2 of 3 comments (",
    ...worse,
  ]);
  expect(problems("check")).toEqual(worse);
});
