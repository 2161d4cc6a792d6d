import { expect, test } from "vitest";
import { compileGlob } from "../../src/glob/glob.js";
import { toBytes } from "../../src/path/names.js";
import { refusal } from "./refusal.js";

const tree = [
  "a.ts",
  "b.js",
  ".env",
  ".git/config",
  "src/a.ts",
  "src/b.tsx",
  "src/deep/a.ts",
  "src/deep/c.d.ts",
  "lib/src/a.ts",
  "f(1).txt",
  "[slug].tsx",
  "{id}.ts",
  "#x#",
];

const taken = (glob: string, options = {}): string[] => {
  const { matches } = compileGlob(glob, options);
  return tree.filter((path) => matches(toBytes(path)));
};

test.for<[string, string[]]>([
  ["*.ts", ["a.ts", "src/a.ts", "src/deep/a.ts", "src/deep/c.d.ts", "lib/src/a.ts", "{id}.ts"]],
  ["/*.ts", ["a.ts", "{id}.ts"]],
  ["./*.ts", ["a.ts", "{id}.ts"]],
  ["src/*.ts", ["src/a.ts"]],
  ["/src//*.ts", ["src/a.ts"]],
  ["src/./*.ts", ["src/a.ts"]],
  ["src/**", ["src/a.ts", "src/b.tsx", "src/deep/a.ts", "src/deep/c.d.ts"]],
  ["src/**/a.ts", ["src/a.ts", "src/deep/a.ts"]],
  ["**/src/a.ts", ["src/a.ts", "lib/src/a.ts"]],
  ["{./src,./lib}/*.ts", ["src/a.ts"]],
  ["{a.ts,src/deep/*}", ["a.ts", "src/a.ts", "src/deep/a.ts", "src/deep/c.d.ts", "lib/src/a.ts"]],
  ["**", tree],
  ["*", tree],
  [".*", [".env"]],
  ["f(1).*", ["f(1).txt"]],
  ["\\[slug\\].*", ["[slug].tsx"]],
  ["{id}.ts", ["{id}.ts"]],
  ["#*", ["#x#"]],
  ["src/", []],
  ["!*.ts", ["b.js", ".env", ".git/config", "src/b.tsx", "f(1).txt", "[slug].tsx", "#x#"]],
  ["!{src,.git}", ["a.ts", "b.js", ".env", "f(1).txt", "[slug].tsx", "{id}.ts", "#x#"]],
])("%s matches %j", ([glob, expected]) => {
  expect(taken(glob)).toEqual(expected);
});

test("without basename a glob without a slash is about the top", () => {
  expect([taken("*.ts", { basename: false }), taken("!src", { basename: false })]).toEqual([
    ["a.ts", "{id}.ts"],
    tree.filter((path) => !path.startsWith("src/")),
  ]);
});

test("without dot, wildcards leave what is hidden to a glob that names the dot", () => {
  const visible = tree.filter((path) => !path.startsWith("."));
  expect([taken("**/*", { dot: false }), taken("**", { dot: false }), taken(".*", { dot: false })]).toEqual([
    visible,
    [...visible.slice(0, 2), ".git/config", ...visible.slice(2)],
    [".env"],
  ]);
});

test("a slash at the end is about folders, at any depth unless there is another one", () => {
  const folders = (glob: string): string[] =>
    ["src", "lib/src", "lib", "src/deep"].filter((path) => compileGlob(glob).matches(path, true));
  expect([folders("src/"), folders("/src/"), folders("*/"), folders("src/**/"), folders("**/"), folders("s*")]).toEqual(
    [
      ["src", "lib/src"],
      ["src"],
      ["src", "lib/src", "lib", "src/deep"],
      ["src/deep"],
      ["src", "lib/src", "lib", "src/deep"],
      ["src", "lib/src"],
    ],
  );
});

test("a walk leaves out the folders that cannot hold a match", () => {
  const below = (glob: string, folders: readonly string[]): string[] => {
    const { couldMatchBelow } = compileGlob(glob);
    return folders.filter((folder) => couldMatchBelow(folder));
  };
  const folders = ["", "src", "src/deep", "src/deep/er", "lib", "lib/src"];
  expect(below("src/*/a.ts", folders)).toEqual(["", "src", "src/deep"]);
  expect(below("{src,lib/*}/a.ts", folders)).toEqual(["", "src", "lib", "lib/src"]);
  expect(below("/src/", folders)).toEqual([""]);
  expect(below("**/deep/a.ts", folders)).toEqual(folders);
  expect(below("a.ts", folders)).toEqual(folders);
  expect(below("!src", folders)).toEqual(["", "lib"]);
  expect(below("!/src", folders)).toEqual(["", "lib", "lib/src"]);
  expect(below("!src/**", folders)).toEqual(["", "lib", "lib/src"]);
  expect(below("!src/deep/*", folders)).toEqual(["", "src", "src/deep", "lib", "lib/src"]);
  expect(below("!**", folders)).toEqual([""]);
});

test("a negated glob that leaves hidden files in keeps a walk from leaving out their folders", () => {
  const { matches, couldMatchBelow } = compileGlob("!src/**", { dot: false });
  expect([matches("src/a"), matches("src/.a"), couldMatchBelow("src")]).toEqual([false, true, true]);
});

test.for<[string, string[], string[]]>([
  ["[a-c]x", ["ax", "cx"], ["dx", "Ax", "-x"]],
  ["[]a]", ["]", "a"], ["b"]],
  ["[!]a]", ["b"], ["]", "a"]],
  ["[^a]", ["b", "^"], ["a", "bb"]],
  ["[a^]", ["a", "^"], ["b"]],
  ["[-a]", ["-", "a"], ["b"]],
  ["[a-]", ["-", "a"], ["b"]],
  ["[a-c-e]", ["b", "-", "e"], ["d"]],
  ["[\\a-\\c]", ["b"], ["\\"]],
  ["[[:digit:]_-]", ["7", "_", "-"], ["a", ":"]],
  ["[![:alpha:]]", ["7", "€"], ["a", "ü", "漢"]],
  ["[[:upper:]ß]", ["Ä", "ß"], ["ä"]],
  ["[[:xdigit:]]", ["f", "F", "9"], ["g"]],
  ["[{,}]", ["{", ",", "}"], ["a"]],
  ["{[,],b}", [",", "b"], ["["]],
  ["{a,}b", ["ab", "b"], ["a"]],
  ["{a,b{c,d}}", ["a", "bc", "bd"], ["b", "ac"]],
  ["{a\\,b,c}", ["a,b", "c"], ["a", "b"]],
  ["x{1..3}", ["x1", "x2", "x3"], ["x0", "x4", "x1..3"]],
  ["{08..11}", ["08", "09", "10", "11"], ["8", "011"]],
  ["{-1..1}", ["-1", "0", "1"], ["1-"]],
  ["{-01..1}", ["-01", "000", "001"], ["1"]],
  ["{9..1..4}", ["9", "5", "1"], ["7"]],
  ["{c..a}", ["a", "b", "c"], ["d"]],
  ["{a..e..2}", ["a", "c", "e"], ["b"]],
  ["{1..}", ["{1..}"], ["1"]],
  ["a}", ["a}"], ["a"]],
  ["a**b", ["ab", "axb"], ["a"]],
  ["***", ["a"], []],
  ["\\!a", ["!a"], ["a"]],
  ["a\\/b", ["a/b"], ["ab"]],
  ["x/[a-z]", ["x/a"], ["x//"]],
])("%s takes %j and not %j", ([glob, good, bad]) => {
  const { matches } = compileGlob(glob, { basename: false });
  expect([...good, ...bad].filter((path) => matches(toBytes(path)))).toEqual(good);
});

test("a class is about characters, and a byte that is none is in no class but a negated one", () => {
  const at = (glob: string, bytes: string): boolean => compileGlob(glob).matches(bytes);
  expect([
    at("[ü]", "\xc3\xbc"),
    at("[à-ü]", "\xc3\xa9"),
    at("[!a]", "\xff"),
    at("[!a][!a]", "\xc3\xbc"),
    at("[\u{ff}]", "\xff"),
    at("[[:alpha:]]", "\xe9"),
    at("*\u{10ffff}", "\xff"),
  ]).toEqual([true, true, true, false, false, false, false]);
});

test.for([
  ["", "The glob is empty", "Leave it out, or use ** for everything.", "**"],
  ["!", "The glob is empty", "Leave it out, or use ** for everything.", "**"],
  ["/", "The glob matches nothing", "Leave it out, or use ** for everything.", "**"],
  ["a[b", "A [ in the glob is never closed", "Close it by ], or write \\[ for the character itself.", "a\\[b"],
  ["[a/b]", "A [ in the glob is never closed", "Close it by ], or write \\[ for the character itself.", "\\[a/b]"],
  ["[!]", "A [ in the glob is never closed", "Close it by ], or write \\[ for the character itself.", "\\[!]"],
  ["[a-", "A [ in the glob is never closed", "Close it by ], or write \\[ for the character itself.", "[a-]"],
  ["{a,b", "A { in the glob is never closed", "Close it by }, or write \\{ for the character itself.", "{a,b}"],
  ["a\\", "The glob ends in a single \\", "Write \\\\ for the character itself.", "a\\\\"],
  ["[z-a]", "The range z-a in the glob runs backwards", "Write its lower end first.", "[a-z]"],
  ["../a", "The glob leads up by ..", "Give that folder as the path, and the glob below it.", "a"],
  ["a/..", "The glob leads up by ..", "Give that folder as the path, and the glob below it.", "a"],
  ["{b,../a}/**", "The glob leads up by ..", "Give that folder as the path, and the glob below it.", "{b,a}/**"],
  ["a\0", "The glob contains NUL or half a character", "Use ? for a character like that.", "a?"],
  ["\ud800", "The glob contains NUL or half a character", "Use ? for a character like that.", "?"],
  ["{1..1001}", "A range in the glob has more than 1000 values", "Write * or a class such as [0-9] in its place.", "*"],
  [
    "{1..99999999999999999999}",
    "A range in the glob has more than 1000 values",
    "Write * or a class such as [0-9] in its place.",
    "[0-9]",
  ],
] as const)("%j is refused, and its hint helps", ([glob, message, hint, better]) => {
  expect(refusal(glob)).toEqual({ code: "INVALID_ARGUMENT", message, hint });
  expect(refusal(better)).toBe(undefined);
});

test("the largest globs are taken, and larger ones refused", () => {
  const nested = (depth: number): string => "{a,".repeat(depth) + "}".repeat(depth);
  expect(["a".repeat(4096), "?*".repeat(2048), nested(30), "{1..1000}".repeat(4)].map(refusal)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(["a".repeat(4097), nested(31), "{1..1000}".repeat(12)].map(refusal)).toEqual([
    expect.objectContaining({ message: "The glob has more than 4096 characters", hint: "Use a shorter one." }),
    expect.objectContaining({ message: "The glob has more than 30 braces in each other", hint: "Use fewer." }),
    expect.objectContaining({ message: "The glob is too large" }),
  ]);
});

test("an unknown class is refused with those that there are", () => {
  expect(["[[:foo:]]", "[[:alpha]", "[[:"].map(refusal)).toEqual([
    expect.objectContaining({
      message: "A [: in the glob begins no class that there is",
      hint: expect.stringContaining("[:alnum:] [:alpha:]"),
    }),
    expect.objectContaining({ message: "A [: in the glob begins no class that there is" }),
    expect.objectContaining({ message: "A [: in the glob begins no class that there is" }),
  ]);
});
