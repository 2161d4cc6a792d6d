import { execFileSync } from "node:child_process";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { findProgram } from "@llmc/te-run";
import type { Advice } from "@llmc/errors";
import { describe, expect, test } from "vitest";
import type { ContentQuery, Search } from "../../src/index.js";
import { makeDesk, QUERY } from "./desk.js";
import { ENGINES, folderOf } from "./engines.js";

const LONG_ENOUGH = { deadlineMs: 60_000 };

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly advice: Advice | undefined;
}

async function refusal(
  search: Search,
  query: Pick<ContentQuery, "root" | "pattern"> & Partial<ContentQuery>,
): Promise<Failure> {
  const thrown = await search.content({ ...QUERY, ...query }, LONG_ENOUGH).then(
    ({ total }) => ({ code: "none", message: `it found ${total}`, advice: undefined }),
    (error: Failure) => error,
  );
  return { code: thrown.code, message: thrown.message, advice: thrown.advice };
}

describe.for(ENGINES)("$name", ({ name, setup }) => {
  test("what is no regular expression is refused with the engine's own words and what to do", async () => {
    const { root, search } = await makeDesk({ a: "x(\n" }, setup());
    for (const pattern of ["foo(", "[a", "a{2,1}", "(?<n", "\\"]) {
      const { code, message, advice } = await refusal(search, { root, pattern });
      expect([pattern, code, advice]).toEqual([
        pattern,
        "INVALID_ARGUMENT",
        { id: "search-as-text", problem: expect.any(String) },
      ]);
      expect(message.length).toBeLessThan(200);
    }
    expect((await search.content({ ...QUERY, root, pattern: "x(", literal: true }, LONG_ENOUGH)).total).toBe(1);
  });

  test("what engines read in two ways has the hits of ripgrep or none", async () => {
    const { root, search } = await makeDesk({ a: "aab\n" }, setup());
    for (const pattern of ["a++a", "a*+ab", "a{1,2}+a"]) {
      if (name.startsWith("grep")) expect((await refusal(search, { root, pattern })).message).toMatch(/no repetitions/);
      else expect((await search.content({ ...QUERY, root, pattern }, LONG_ENOUGH)).total).toBe(1);
    }
  });

  test("one that is long, or has several lines, is refused like others", async () => {
    const { root, search } = await makeDesk({ a: "x\n" }, setup());
    for (const pattern of ["(".repeat(50_000), `${"x".repeat(99_000)}(`, "(?=x".repeat(5000)])
      expect([pattern.slice(0, 9), (await refusal(search, { root, pattern })).code]).toEqual([
        pattern.slice(0, 9),
        "INVALID_ARGUMENT",
      ]);
    for (const pattern of ["if (x) {\n  y(", `${"x\n".repeat(40_000)}(`, "x\n(?=y"]) {
      const { code, message } = await refusal(search, { root, pattern, multiline: true });
      expect([pattern.slice(0, 9), code, message.length < 200]).toEqual([
        pattern.slice(0, 9),
        "INVALID_ARGUMENT",
        true,
      ]);
    }
  });

  test("it is refused where there is nothing to search, too", async () => {
    const { root, search } = await makeDesk({}, setup());
    expect((await refusal(search, { root, pattern: "foo(" })).code).toBe("INVALID_ARGUMENT");
    expect((await refusal(search, { root, pattern: "foo(", glob: ["*.ts"] })).code).toBe("INVALID_ARGUMENT");
  });

  test("patterns that look like options or hold newlines are data", async () => {
    const { root, search } = await makeDesk({ a: "--pre=touch\n-f /etc/passwd\nnext\n" }, setup());
    for (const pattern of ["--pre=touch", "-f", "-"]) {
      expect((await search.content({ ...QUERY, root, pattern }, LONG_ENOUGH)).total).toBeGreaterThan(0);
    }
    const two = { ...QUERY, root, pattern: "passwd\nnext", literal: true };
    if (name.startsWith("grep"))
      expect((await refusal(search, two)).message).toMatch(/^The engine here is grep .*span lines/);
    else expect((await search.content(two, LONG_ENOUGH)).total).toBe(1);
  });

  test("globs that look like options are data, and a bomb of a glob is no bomb", async () => {
    const { root, search } = await makeDesk({ "--files": "x\n", [`${"a".repeat(60)}b`]: "x\n" }, setup());
    const found = async (glob: string): Promise<number> =>
      (await search.content({ ...QUERY, root, pattern: "x", glob: [glob] }, LONG_ENOUGH)).total;
    expect(await found("--files")).toBe(1);
    expect(await found(`${"*a".repeat(40)}c`)).toBe(0);
    expect(await found(`${"**/".repeat(100)}x`)).toBe(0);
    expect((await refusal(search, { root, pattern: "x", glob: ["{a,b}".repeat(300)] })).code).toBe("INVALID_ARGUMENT");
  });

  test("a hostile pattern ends, with all hits or the word that there may be more", async () => {
    const { root, search } = await makeDesk({ a: `${"a".repeat(200)}!\nab\n`, b: "ab\n" }, setup());
    for (const pattern of ["(a+)+$", "(a|aa)+$", "(?=(a+)+$)a", "(a?){60}a{60}b"]) {
      const { total, exact } = await search.content({ ...QUERY, root, pattern }, LONG_ENOUGH);
      expect([pattern, total === 0 || exact || total <= 3]).toEqual([pattern, true]);
    }
  });

  test("a pattern of nearly 100 KiB is searched for", async () => {
    const long = Array.from({ length: 25_000 }, (_, nth) => nth)
      .join("")
      .slice(0, 100_000);
    const { root, search } = await makeDesk({ a: `${long}\n` }, setup());
    expect((await search.content({ ...QUERY, root, pattern: long, literal: true }, LONG_ENOUGH)).total).toBe(1);
    expect((await refusal(search, { root, pattern: `${long}${"x".repeat(3000)}` })).message).toMatch(
      /longer than 100 KiB/,
    );
  });
});

test("what is wrong is told as it is, where in the pattern, and of the engine that knows it", async () => {
  const { root, search } = await makeDesk();
  const message = async (pattern: string): Promise<string> => (await refusal(search, { root, pattern })).message;
  const words = "Not a valid regular expression:";
  expect(await message("日[é-a]")).toMatch(/ at "é-a", character 3$/);
  expect(await message("(?=a")).toBe(`${words} missing closing parenthesis`);
  expect(await message("(a)\\2")).toBe(`${words} reference to non-existent subpattern`);
});

test("what cannot be searched is refused as such", async () => {
  const { root, search } = await makeDesk({ a: "x\n" });
  execFileSync("mkfifo", [`${root}/pipe`]);
  const codes = async (query: Partial<ContentQuery>): Promise<string> =>
    (await refusal(search, { root, pattern: "x", ...query })).code;
  expect({
    empty: await codes({ pattern: "" }),
    nul: await codes({ pattern: "a\0b" }),
    newline: await codes({ pattern: "a\\nb" }),
    gone: await codes({ root: `${root}/gone` }),
    outside: await codes({ root: "/etc" }),
    pipe: await codes({ root: `${root}/pipe` }),
    type: await codes({ type: "no-such-type" }),
    glob: await codes({ glob: ["!"] }),
  }).toEqual({
    empty: "INVALID_ARGUMENT",
    nul: "INVALID_ARGUMENT",
    newline: "INVALID_ARGUMENT",
    gone: "NOT_FOUND",
    outside: "INVALID_PATH",
    pipe: "INVALID_PATH",
    type: "INVALID_ARGUMENT",
    glob: "INVALID_ARGUMENT",
  });
});

test("what ripgrep puts around a pattern is not told of", async () => {
  const { root, search } = await makeDesk();
  const said = async (pattern: string): Promise<string> => (await refusal(search, { root, pattern })).message;
  expect([await said("a)b"), await said("(?P<"), await said("a\\"), await said("a\\\\)"), await said("x[a")]).toEqual([
    "Not a valid regular expression: unopened group",
    "Not a valid regular expression: invalid capture group character at its end",
    "Not a valid regular expression: a backslash at its end escapes nothing",
    "Not a valid regular expression: unopened group",
    'Not a valid regular expression: unclosed character class at "[", character 2',
  ]);
});

test("a type that there is not is answered with what was meant", async () => {
  const { root, search } = await makeDesk();
  const advice = async (type: string): Promise<Advice | undefined> =>
    (await refusal(search, { root, pattern: "x", type })).advice;
  expect([await advice("tsx"), await advice(".rb"), await advice("javascript"), await advice("zzz")]).toEqual([
    "Did you mean ts, typescript?",
    "Did you mean puppet, ruby?",
    "Did you mean js?",
    { id: "type-or-glob" },
  ]);
});

const grep = ENGINES.find(({ name }) => name === "grep");

test.skipIf(grep === undefined)("what grep lacks is refused by its name", async () => {
  const { root, search } = await makeDesk({ a: "x\n" }, grep?.setup());
  const patterns = ["[a-z&&[^x]]", "[a--b]", "[a[bc]]", "(?x) a # b", "(*UTF)x", "(?-u:x)"];
  for (const pattern of patterns) {
    expect([pattern, await refusal(search, { root, pattern })]).toEqual([
      pattern,
      {
        code: "INVALID_ARGUMENT",
        message: expect.stringMatching(/^The engine here is grep \S+; it has no /) as string,
        advice: expect.stringContaining("ripgrep") as string,
      },
    ]);
  }
  expect(await refusal(search, { root, pattern: "a.b", multiline: true })).toMatchObject({
    message: expect.stringContaining("hits that span lines") as string,
    advice: { id: "match-single-lines" },
  });
});

test("a grep of another kind is no engine", async () => {
  const path = folderOf([]);
  writeFileSync(`${path}/grep`, "#!/bin/sh\necho 'BusyBox v1.36.1 multi-call binary.'\n", { mode: 0o755 });
  const { search } = await makeDesk({}, { packagedRg: null, path });
  expect((await search.engines()).content).toBeNull();
});

test("without any engine it is said what to install", async () => {
  const { root, search } = await makeDesk({ a: "x\n" }, { packagedRg: null, path: folderOf([]) });
  expect(await refusal(search, { root, pattern: "x" })).toEqual({
    code: "ENGINE_UNAVAILABLE",
    message: expect.stringContaining("neither ripgrep nor grep") as string,
    advice: expect.stringContaining("Install ripgrep") as string,
  });
  expect((await search.engines()).content).toBeNull();
  expect((await search.names({ ...NAMES, root }, LONG_ENOUGH)).total).toBe(1);
});

test("an engine that is installed later is found, and one that has gone is told of", async () => {
  const path = folderOf([]);
  const { root, search } = await makeDesk({ a: "x\n" }, { packagedRg: null, path });
  expect((await refusal(search, { root, pattern: "x" })).code).toBe("ENGINE_UNAVAILABLE");
  for (const name of ["grep", "xargs"]) symlinkSync((await findProgram(name)) ?? "", `${path}/${name}`);
  expect((await search.content({ ...QUERY, root, pattern: "x" }, LONG_ENOUGH)).total).toBe(1);
  rmSync(`${path}/grep`);
  const { code, advice } = await refusal(search, { root, pattern: "x" });
  expect([code, advice]).toEqual(["ENGINE_UNAVAILABLE", "Install it again."]);
});

const NAMES = {
  pattern: "a",
  regex: false,
  respectIgnore: true,
  includeHidden: false,
  maxKept: 10,
  maxKeptBytes: 10_000,
} as const;
