import { describe, expect, test } from "vitest";
import { parseDiff } from "../../src/diff/parse.js";
import { DIFF_LIMITS, type FilePlan, type PathPair } from "../../src/diff/plan.js";

const HUNK = "@@ -1 +1 @@\n-a\n+b\n";

function shown(diff: string): readonly object[] {
  return parseDiff(diff).map(({ hunks, ...plan }) => ({
    ...plan,
    hunks: hunks.map(({ lines, ...hunk }) => ({ ...hunk, lines: lines.map(({ op, text }) => op + text) })),
  }));
}

function pathsOf(diff: string): readonly (readonly (string | null)[])[] {
  const [plan] = parseDiff(diff);
  return (plan?.paths ?? []).map(({ oldPath, newPath, spelling }: PathPair) => [oldPath, newPath, spelling]);
}

test("a plan says what a file becomes, under which names, and what its hunks hold", () => {
  const diff = `diff --git a/x.sh b/y.sh
old mode 100644
new mode 100755
similarity index 90%
rename from x.sh
rename to y.sh
--- a/x.sh
+++ b/y.sh
@@ -3,2 +3,2 @@ main() {
 a
-b
+c
*** Begin Patch
*** Update File: z.py
@@ class A:
@@ def f(self):
 one

-two
*** End of File
*** End Patch
`;
  expect(shown(diff)).toEqual([
    {
      kind: "rename",
      paths: [{ oldPath: "x.sh", newPath: "y.sh", spelling: "written" }],
      mode: 0o755,
      hunks: [
        {
          number: 1,
          header: "@@ -3,2 +3,2 @@",
          line: 3,
          anchors: [],
          section: "main() {",
          atEnd: false,
          repaired: false,
          lines: [" a", "-b", "+c"],
        },
      ],
    },
    {
      kind: "modify",
      paths: [{ oldPath: "z.py", newPath: "z.py", spelling: "written" }],
      mode: null,
      hunks: [
        {
          number: 1,
          header: "@@ def f(self):",
          line: null,
          anchors: ["class A:", "def f(self):"],
          section: null,
          atEnd: true,
          repaired: false,
          lines: [" one", " ", "-two"],
        },
      ],
    },
  ]);
});

test("hunks keep their numbers when one between them changes nothing", () => {
  const [plan] = parseDiff("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n@@ -3 +3 @@\n c\n@@ -5 +5 @@\n-e\n+f\n");
  expect(plan?.hunks.map(({ number }) => number)).toEqual([1, 3]);
});

describe("what names may mean", () => {
  test.for<readonly [string, string, readonly (readonly (string | null)[])[]]>([
    [
      "a/x",
      "b/x",
      [
        ["x", "x", "stripped"],
        ["b/x", "b/x", "written"],
        ["a/x", "a/x", "written"],
        ["/x", "/x", "absolute"],
      ],
    ],
    ["x", "x", [["x", "x", "written"]]],
    [
      "a/x",
      "a/x",
      [
        ["a/x", "a/x", "written"],
        ["x", "x", "stripped"],
      ],
    ],
    [
      "old/x",
      "new/x",
      [
        ["x", "x", "stripped"],
        ["new/x", "new/x", "written"],
        ["old/x", "old/x", "written"],
      ],
    ],
    [
      "a//s/x",
      "b//s/x",
      [
        ["/s/x", "/s/x", "stripped"],
        ["b//s/x", "b//s/x", "written"],
        ["a//s/x", "a//s/x", "written"],
      ],
    ],
    ["x.orig", "x", [["x.orig", "x", "written"]]],
    [
      "a/one",
      "b/two",
      [
        ["one", "two", "stripped"],
        ["a/one", "b/two", "written"],
      ],
    ],
    [
      "a/d/x",
      "d/x",
      [
        ["d/x", "d/x", "written"],
        ["a/d/x", "a/d/x", "written"],
      ],
    ],
    [
      "/dev/null",
      "b/x",
      [
        [null, "x", "stripped"],
        [null, "b/x", "written"],
        [null, "/x", "absolute"],
      ],
    ],
    ["/dev/null", "w/x", [[null, "w/x", "written"]]],
    [
      "a/x",
      "/dev/null",
      [
        ["x", null, "stripped"],
        ["a/x", null, "written"],
        ["/x", null, "absolute"],
      ],
    ],
  ])("%s and %s", ([oldName, newName, expected]) => {
    expect(
      pathsOf(
        `--- ${oldName}\n+++ ${newName}\n${newName === "/dev/null" ? "@@ -1 +0,0 @@\n-a\n" : oldName === "/dev/null" ? "@@ -0,0 +1 @@\n+b\n" : HUNK}`,
      ),
    ).toEqual(expected);
  });

  test.for([
    ['"a/\\346\\227\\245"', "日"],
    ['"a/\\a\\b\\t\\n\\v\\f\\r\\"\\\\"', '\x07\b\t\n\v\f\r"\\'],
    ['"a/\\351"', "\\xe9"],
    ['"a/\\q"', "\\q"],
    ["a/with space\t2026-01-01", "with space"],
    ["a/x 2026-01-01T10:00:00Z", "x"],
    ["a/x 2026", "x 2026"],
    ["a/x  ", "x"],
  ])("%s is the file %j", ([written, expected]) => {
    expect(parseDiff(`--- ${written}\n+++ ${written?.replace("a/", "b/")}\n${HUNK}`)[0]?.paths[0]?.newPath).toBe(
      expected,
    );
  });
});

describe("where a hunk ends", () => {
  const linesOf = (body: string): readonly string[] =>
    parseDiff(`--- a/x\n+++ b/x\n${body}`)[0]?.hunks[0]?.lines.map(({ op, text }) => op + text) ?? [];

  test.for<readonly [string, string, readonly string[]]>([
    ["with its counts, before context that they leave out", "@@ -1 +1 @@\n-a\n+b\n c\n d\n", ["-a", "+b"]],
    ["with its counts, before bullets below a blank line", "@@ -1 +1 @@\n-a\n+b\n\n- and so on\n", ["-a", "+b"]],
    [
      "behind what the counts leave out, if that changes something",
      "@@ -1 +1 @@\n-a\n+b\n c\n-d\n",
      ["-a", "+b", " c", "-d"],
    ],
    ["before blank lines that no count asks for", "@@\n-a\n+b\n\n\n", ["-a", "+b"]],
    ["behind blank lines that the counts ask for", "@@ -1,3 +1,3 @@\n-a\n+b\n\n\n", ["-a", "+b", " ", " "]],
    ["before a sentence", "@@\n-a\n+b\nThat is all.\n", ["-a", "+b"]],
    ["before a sentence with bullets", "@@\n-a\n+b\n\nIn short:\n- a is b\n", ["-a", "+b"]],
    ["not at a blank line with changes below it", "@@\n-a\n\nc\n+d\n", ["-a", " ", " c", "+d"]],
    ["not before a comment's lines that go", "@@\n-a\n/**\n- * old\n*/\n", ["-a", " /**", "- * old"]],
    ["before the signature of a mail", "@@\n-a\n+b\n-- \n2.39.5\n", ["-a", "+b"]],
    ["not at two dashes that are a line to remove", "@@ -1,2 +1 @@\n-- \n-a\n+b\n", ["-- ", "-a", "+b"]],
  ])("%s", ([, body, expected]) => {
    expect(linesOf(body)).toEqual(expected);
  });
});

describe("the header of a hunk", () => {
  test.for<readonly [string, number | null, readonly string[]]>([
    ["@@ -12,3 +14,5 @@ heading", 12, []],
    ["@@ -12 @@", 12, []],
    ["@@-12,3 +14,5@@", 12, []],
    ["@@ 12 @@", 12, []],
    ["@@ at line 12 @@", 12, []],
    ["@@ lines 12-14 @@", 12, []],
    ["@@ -0,0 +1 @@", 0, []],
    ["@@", null, []],
    ["@@ @@", null, []],
    ["@@ … @@", null, []],
    ["@@ -1234567890,1 +1,1 @@", null, []],
    ["@@ def f():", null, ["def f():"]],
    ["@@ def f(): @@", null, ["def f():"]],
    ["@@ 2 ways @@", null, ["2 ways"]],
  ])("%s", ([header, line, anchors]) => {
    const [plan] = parseDiff(`--- a/x\n+++ b/x\n${header}\n-a\n+b\n`);
    expect(plan?.hunks.map((hunk) => [hunk.line, hunk.anchors])).toEqual([[line, anchors]]);
  });
});

test("what is longer than the limits is refused", () => {
  const section = (name: number): string => `--- a/${name}\n+++ b/${name}\n${HUNK}`;
  const diff = [1, 2, 3].map(section).join("");
  const small = { ...DIFF_LIMITS, maxBytes: diff.length, maxLines: 15, maxFiles: 3, maxHunks: 3 };
  const refusal = (limits: object): unknown => {
    try {
      return (parseDiff(diff, { ...small, ...limits }) satisfies readonly FilePlan[]).length;
    } catch (thrown) {
      return (thrown as Error).message;
    }
  };
  expect([{}, { maxBytes: diff.length - 1 }, { maxLines: 14 }, { maxFiles: 2 }, { maxHunks: 2 }].map(refusal)).toEqual([
    3,
    `The diff has more than ${diff.length - 1} bytes`,
    "The diff has more than 14 lines",
    "The diff has more than 2 files",
    "The diff has more than 2 hunks",
  ]);
});
