import { expect, test } from "vitest";
import { BOUNDS, figuresOf, houseProblems, type Figures } from "../src/house/figures.js";
import { houseReport } from "../src/house/report.js";
import { readSources, type PackageSources } from "../src/house/sources.js";
import { madeUpTree, sourceOf } from "./support/made-up-tree.js";

function figures(files: Readonly<Record<string, string>>): Figures[] {
  return readSources(madeUpTree(files)).map(figuresOf);
}

/** Figures of a package whose only interesting part is what its files import. */
function cyclesOf(imports: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const files = Object.entries(imports).map(([path, targets]) => [`packages/a/src/${path}`, sourceOf(3, targets)]);
  return figures(Object.fromEntries(files) as Record<string, string>)[0]?.cycles ?? ["no package"];
}

test("a package is counted by its files, their lines, and the lines that each file needs", () => {
  const tree = {
    "packages/a/src/index.ts": sourceOf(10, ["./deep/one.js", "./two.js"]),
    "packages/a/src/deep/one.ts": sourceOf(100, ["../two.js"]),
    "packages/a/src/two.ts": sourceOf(1000, ["@llmc/b", "node:fs"]),
    "packages/a/src/three.ts": sourceOf(50),
    "packages/a/test/no.test.ts": sourceOf(5000),
    "packages/b/src/index.ts": sourceOf(7),
  };

  const [a, b] = figures(tree);

  expect(a).toEqual({
    dir: "packages/a",
    files: 4,
    lines: 1160,
    p50: 100,
    p90: 1000,
    max: 1000,
    // 50, 1000, 1100, 1110
    closureP50: 1100,
    closureP90: 1110,
    cycles: [],
    toolWords: 0,
  });
  expect(b).toMatchObject({ dir: "packages/b", files: 1, lines: 7, closureP90: 7 });
});

test.for([
  ["a type", 'import type { T } from "./two.js";'],
  ["an export", 'export { t } from "./two.js";'],
  ["all exports", 'export * from "./two.js";'],
  ["a list over several lines", 'import {\n  t,\n} from "./two.js";'],
  ["a dynamic import", 'export const t = () => import("./two.js");'],
  ["a type in place", 'export type T = import("./two.js").T;'],
] as const)("%s counts as an import", ([, text]) => {
  const tree = { "packages/a/src/one.ts": `${text}\n`, "packages/a/src/two.ts": sourceOf(100) };

  expect(figures(tree)[0]?.closureP90).toBeGreaterThan(100);
});

test("an import in a comment or a text is none", () => {
  const tree = {
    "packages/a/src/one.ts": '// import "./two.js";\nexport const t = `import "./two.js";`;\n',
    "packages/a/src/two.ts": sourceOf(100),
  };

  expect(figures(tree)[0]?.closureP90).toBe(100);
});

test("folders that import each other, directly or through a third, are one cycle", () => {
  const cycles = cyclesOf({
    "a/one.ts": ["../b/one.js"],
    "b/one.ts": ["../c/one.js"],
    "c/one.ts": ["../a/two.js"],
    "a/two.ts": [],
    "d/one.ts": ["../a/one.js"],
    "e/one.ts": ["../f/one.js"],
    "f/one.ts": [],
    "f/two.ts": ["../e/two.js"],
    "e/two.ts": [],
  });

  expect(cycles).toEqual(["{a b c}", "{e f}"]);
});

test("folders inside a folder may not import each other in a circle either", () => {
  const cycles = cyclesOf({
    "a/x/one.ts": ["../y/one.js"],
    "a/y/one.ts": ["../z.js"],
    "a/y/two.ts": ["../x/two.js"],
    "a/x/two.ts": [],
    "a/z.ts": [],
  });

  expect(cycles).toEqual(["a/{x y}"]);
});

test("an entry that imports a folder which imports a file beside it is no cycle of folders", () => {
  expect(cyclesOf({ "index.ts": ["./a/one.js"], "a/one.ts": ["../basics.js"], "basics.ts": [] })).toEqual([]);
});

const WITHIN: Figures = {
  dir: "packages/a",
  files: 1,
  lines: BOUNDS.lines,
  p50: 1,
  p90: 1,
  max: 1,
  closureP50: BOUNDS.closureP50,
  closureP90: BOUNDS.closureP90,
  cycles: [],
  toolWords: 3,
};

test("a package that just keeps every bound has no problem", () => {
  expect(houseProblems(WITHIN)).toEqual([]);
});

test.for([
  [{ lines: 9001 }, "packages/a: 9001 lines, at most 9000: part of it is a package of its own."],
  [{ closureP50: 801 }, "packages/a: half of its files need 801 lines or more, at most 800."],
  [{ closureP90: 2501 }, "packages/a: a tenth of its files need 2501 lines or more, at most 2500."],
  [{ cycles: ["{a b}"] }, "packages/a: the folders {a b} import each other."],
] as const)("a package beyond one bound has that problem: %o", ([change, problem]) => {
  expect(houseProblems({ ...WITHIN, ...change })).toEqual([problem]);
});

test("a line of code that names a tool counts where no tool may be named", () => {
  const text = [
    "// linux.fs_read in a comment",
    'const hint = "Call linux.fs_read first.";',
    'const field = "create_parents";',
    'const setting = "mcp.linux_ops.roots";',
    'const neighbour = "prune_cmd, run_cmds, linux.html";',
    "",
  ].join("\n");
  const named = (dir: string) => figures({ [`${dir}/src/index.ts`]: text })[0]?.toolWords;

  expect(named("packages/te-fs")).toBe(3);
  expect(["packages/linux-ops", "packages/config", "packages/mcp", "apps/mcp-http"].map(named)).toEqual([0, 0, 0, 0]);
});

test("sources are read from packages and apps that have a src, and from no other folder", () => {
  const root = madeUpTree({
    "packages/a/src/one.ts": "//\n",
    "packages/a/dist/one.ts": "//\n",
    "packages/empty/README.md": "",
    "apps/b/src/main.ts": "//\n",
  });

  const read = readSources(root).map(({ dir, files }: PackageSources) => [dir, files.map(({ path }) => path)]);
  expect(read).toEqual([
    ["packages/a", ["one.ts"]],
    ["apps/b", ["main.ts"]],
  ]);
});

test("the report has a line for each package, and the problems of all", () => {
  const good = { "packages/a/src/index.ts": sourceOf(5, ["./one.js"]), "packages/a/src/one.ts": sourceOf(7) };
  const large = { "packages/b/src/index.ts": sourceOf(9001) };

  const { table, packages, problems } = houseReport(madeUpTree({ ...good, ...large }));

  expect(table).toMatch(/^packages\/a +2 +12 +7 +7 +7 +12 +12 +0 +-$/m);
  expect(packages).toBe(2);
  expect(problems.map((problem) => problem.slice(0, 22))).toEqual([
    "packages/b: 9001 lines",
    "packages/b: half of it",
    "packages/b: a tenth of",
  ]);
});
