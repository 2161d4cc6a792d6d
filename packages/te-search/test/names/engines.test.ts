import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findFd } from "../../src/names/fd-program.js";
import type { Names } from "../../src/names/open-names.js";
import {
  ask,
  bytes,
  FD,
  filesIn,
  freshDir,
  HELD_FD,
  LONG_ENOUGH,
  namesIn,
  PLAIN,
  plant,
  plantNames,
  WALK,
  type Asked,
} from "./tree.js";

const fd = await findFd(undefined);

/** What an answer says of a search, without which engine it was. */
async function told(names: Names, root: string, asked: Asked): Promise<unknown> {
  const { by, total, exact, endedBy, hits, leftOut } = await ask(names, root, asked);
  return { by, total, exact, endedBy, hits, leftOut };
}

const ASKED: readonly Asked[] = [
  { pattern: "user" },
  { pattern: "User" },
  { pattern: "src/us" },
  { pattern: "user service" },
  { pattern: "*.ts" },
  { pattern: "src/**/*.md" },
  { pattern: "*", includeHidden: true },
  { pattern: "*", respectIgnore: false },
  { pattern: "*", includeHidden: true, respectIgnore: false },
  { pattern: "^[a-z]+\\.", regex: true },
  { pattern: "line" },
  { pattern: "caf" },
  { pattern: "e", type: "file" },
  { pattern: "e", type: "dir" },
  { pattern: "e", type: "file", minSize: 1 },
  { pattern: "e", minSize: 1 },
  { pattern: "e", modifiedSince: 1 },
  { pattern: "*", glob: ["*.ts", "!src"] },
  { pattern: "secret" },
  { pattern: "not there at all" },
];

const CORPUS = {
  "user.ts": "x",
  "User.md": "",
  "src/userService.ts": "xx",
  "src/deep/service.md": "",
  "src/deep/.hidden/user": "",
  ".env": "",
  "two\nlines": "",
  [bytes("café")]: "",
  "caf\xe9": "",
  "-dash": "",
  "private/secret": "",
  "link-to-user.ts": { to: "user.ts" },
  "link-to-folder": { to: "src" },
  "loop/again": { to: ".." },
  "outside-link": { to: "/etc" },
} as const;

test.for([
  ["outside", FD],
  ["in the cell", HELD_FD],
] as const)("fd %s gives what the walk gives", async ([, setup], { skip }) => {
  if (fd === undefined) return skip("fd is not installed");
  const root = plant(freshDir(), CORPUS);
  execFileSync("mkfifo", [`${root}/pipe`]);
  const files = filesIn(root, { privatePaths: [`${root}/private`] });
  const [walk, byFd] = [namesIn(root, WALK, files), namesIn(root, setup, files)];
  expect((await ask(byFd, root, { pattern: "user" })).engine).toBe(`fd ${fd.version}`);
  for (const asked of ASKED)
    expect([asked, await told(byFd, root, asked)]).toEqual([asked, await told(walk, root, asked)]);
  for (const asked of ASKED) {
    expect([asked, await told(byFd, `${root}/src`, asked)]).toEqual([asked, await told(walk, `${root}/src`, asked)]);
  }
});

test("where ignore files stand, the walk goes, unless they are not asked for", async ({ skip }) => {
  if (fd === undefined) return skip("fd is not installed");
  for (const rules of [".gitignore", ".ignore", ".rgignore", "deep/.gitignore"]) {
    const root = plant(freshDir(), { [rules]: "*.log\n", "deep/x.log": "", "deep/x.txt": "" });
    const names = namesIn(root, FD);
    const answer = await ask(names, root, { pattern: "x" });
    expect([answer.engine, answer.hits.map(({ way }) => way)]).toEqual(["walk", ["deep/x.txt"]]);
    const all = await ask(namesIn(root, FD), root, { pattern: "x", respectIgnore: false });
    expect([all.engine, all.total]).toEqual([`fd ${fd.version}`, 2]);
  }
});

test("ignore files that fd alone knows do not count, nor do rules above the searchRoot fail to", async ({ skip }) => {
  if (fd === undefined) return skip("fd is not installed");
  const root = plant(freshDir(), {
    ".gitignore": "*.log\n",
    "deep/.fdignore": "*\n",
    "deep/x.log": "",
    "deep/x.txt": "",
    "deep/old.log/x": "",
  });
  const answer = await ask(namesIn(root, FD), `${root}/deep`, { pattern: "x" });
  expect([answer.engine, answer.hits.map(({ way }) => way), answer.leftOut]).toEqual([
    `fd ${fd.version}`,
    ["x.txt"],
    { hidden: 1, ignored: 2, unreadable: 0, atLeast: false },
  ]);
});

test("fd is asked for large trees alone, and which are large is remembered", async ({ skip }) => {
  if (fd === undefined) return skip("fd is not installed");
  const root = plantNames(
    freshDir(),
    Array.from({ length: 50 }, (_, nth) => `${nth % 5}/x${nth}`),
  );
  const engine = async (largeFrom: number): Promise<string[]> => {
    const names = namesIn(root, { largeFrom });
    const answers = [await ask(names, root, { pattern: "x" }), await ask(names, root, { pattern: "x" })];
    expect(answers.map(({ total }) => total)).toEqual([50, 50]);
    return answers.map((answer) => answer.engine);
  };
  expect(await engine(1000)).toEqual(["walk", "walk"]);
  expect(await engine(30)).toEqual([`fd ${fd.version}`, `fd ${fd.version}`]);
});

test("where a type is asked for the walk goes, which tells it without a look at each file", async ({ skip }) => {
  if (fd === undefined) return skip("fd is not installed");
  const root = plantNames(freshDir(), ["x/x"]);
  const names = namesIn(root, FD);
  const engines = (["file", "dir", undefined] as const).map(
    async (type) => (await ask(names, root, { pattern: "x", type })).engine,
  );
  expect(await Promise.all(engines)).toEqual(["walk", "walk", `fd ${fd.version}`]);
});

test("what engines there are", async () => {
  const root = freshDir();
  expect(await namesIn(root, WALK).engine()).toBe("walk");
  if (fd !== undefined) expect(await namesIn(root, FD).engine()).toBe(`walk, fd ${fd.version}`);
});

const SEGMENT = fc.constantFrom("a", "ab", "B", ".h", "é", "x.log", "keep", "n\nl", "\xff", ".git", "-r");
const ENTRIES = fc.uniqueArray(
  fc.array(SEGMENT, { minLength: 1, maxLength: 4 }).map((names) => names.join("/")),
  { maxLength: 25 },
);
const RULES = fc.dictionary(
  fc.constantFrom("", "a/", "keep/", "a/B/"),
  fc.tuple(
    fc.constantFrom(".gitignore", ".ignore", ".rgignore", ".fdignore"),
    fc.array(fc.constantFrom("*.log", "/a", "B/", "!keep", "é", "*", "ab"), { maxLength: 3 }),
  ),
  { maxKeys: 2 },
);
const QUERIES = fc.record({
  pattern: fc.constantFrom("a", "B", "*", "*.log", "a/b", "keep", "é", "a?", "l"),
  includeHidden: fc.boolean(),
  respectIgnore: fc.boolean(),
  type: fc.constantFrom(undefined, "file", "dir"),
});

test("on any tree, both give the same", { timeout: 120_000 }, async ({ skip }) => {
  if (fd === undefined) return skip("fd is not installed");
  const base = freshDir();
  let turn = 0;
  await fc.assert(
    fc.asyncProperty(ENTRIES, RULES, QUERIES, async (entries, rules, asked) => {
      const root = `${base}/${(turn += 1)}`;
      plant(base, { [`${turn}`]: null });
      for (const [folder, [name, lines]] of Object.entries(rules)) tryPlant(root, `${folder}${name}`, lines.join("\n"));
      for (const entry of entries) tryPlant(root, entry, "");
      const files = filesIn(root);
      const answers = await Promise.all([WALK, FD].map((setup) => told(namesIn(root, setup, files), root, asked)));
      expect(answers[1]).toEqual(answers[0]);
    }),
    { numRuns: process.env["LLMC_LONG"] === "1" ? 1000 : 40 },
  );
});

/** Some names are in the way of others. */
function tryPlant(root: string, name: string, text: string): void {
  try {
    plant(root, { [name]: text });
  } catch {
    // Then it is one less.
  }
}

test("fifty searches at once", async () => {
  const root = plantNames(
    freshDir(),
    Array.from({ length: 500 }, (_, nth) => `${nth % 9}/item${nth}`),
  );
  const names = namesIn(root, {});
  const patterns = ["item1", "*9", "^item\\d$", "item 4", "8/item"];
  const one = (pattern: string): ReturnType<Names["search"]> =>
    names.search({ ...PLAIN, root, pattern, regex: pattern.startsWith("^") }, LONG_ENOUGH);
  const alone = await Promise.all(patterns.map(async (pattern) => (await one(pattern)).hits));
  const many = await Promise.all(Array.from({ length: 50 }, (_, nth) => one(patterns[nth % 5] as string)));
  expect(many.map(({ hits }) => hits)).toEqual(Array.from({ length: 50 }, (_, nth) => alone[nth % 5]));
});
