import { isUtf8 } from "node:buffer";
import * as fc from "fast-check";
import { minimatch } from "minimatch";
import { expect, test } from "vitest";
import { compileGlob, type Glob, type GlobOptions } from "../../src/glob/glob.js";
import { toBytes } from "../../src/path/names.js";
import { disputed, glob, globAndPath } from "./arbitraries.js";

const numRuns = 3000;
const options = fc.record({ basename: fc.boolean(), dot: fc.boolean() });

function judge(path: string, text: string, { basename = true, dot = true }: GlobOptions): boolean {
  return minimatch(path, text, { dot, matchBase: basename, noext: true, nocomment: true, nonegate: true });
}

/** The folders that a path lies in, and itself. */
function wayTo(path: string): string[] {
  const names = path.split("/");
  return names.map((_, nth) => names.slice(0, nth + 1).join("/"));
}

const matches = (compiled: Glob, path: string): boolean => compiled.matches(toBytes(path));

for (const basename of [true, false]) {
  test(`a glob means what minimatch takes it for${basename ? ", names alone too" : ""}`, () => {
    const run = fc.property(globAndPath, ([text, path]) => {
      fc.pre(!text.startsWith("!") && !disputed(text));
      expect(matches(compileGlob(text, { basename }), path)).toBe(judge(path, text, { basename }));
    });
    fc.assert(run, { numRuns });
  });
}

test("without dot, a dot at the start of a name has to be named, as minimatch has it", () => {
  const run = fc.property(globAndPath, fc.boolean(), ([text, path], basename) => {
    fc.pre(!text.startsWith("!") && !disputed(text));
    expect(matches(compileGlob(text, { basename, dot: false }), path)).toBe(
      judge(path, text, { basename, dot: false }),
    );
  });
  fc.assert(run, { numRuns });
});

test("a negated glob leaves out what the glob matches, and what lies in a folder that it matches", () => {
  const run = fc.property(globAndPath, options, fc.integer({ min: 1, max: 3 }), ([text, path], options, bangs) => {
    fc.pre(!text.startsWith("!") && !disputed(text));
    const met = bangs === 2 ? judge(path, text, options) : !wayTo(path).some((each) => judge(each, text, options));
    expect(matches(compileGlob("!".repeat(bangs) + text, options), path)).toBe(met);
  });
  fc.assert(run, { numRuns });
});

test("no folder that holds a match is left out of a walk", () => {
  const any = fc.tuple(globAndPath, fc.constantFrom("", "!"), fc.constantFrom("", "/"), options, fc.boolean());
  const run = fc.property(any, ([[text, path], bang, slash, options, isFolder]) => {
    const compiled = tryCompile(bang + text + slash, options);
    fc.pre(compiled?.matches(toBytes(path), isFolder) === true);
    const folders = ["", ...wayTo(path).slice(0, -1)];
    expect(folders.filter((folder) => !compiled?.couldMatchBelow(toBytes(folder)))).toEqual([]);
  });
  fc.assert(run, { numRuns });
});

function tryCompile(text: string, options: GlobOptions): Glob | undefined {
  try {
    return compileGlob(text, options);
  } catch (thrown) {
    expect(thrown).toMatchObject({ code: "INVALID_ARGUMENT", hint: expect.stringMatching(/\.$/) });
    return undefined;
  }
}

test("any text is a glob or is refused with a hint", () => {
  const soup = fc.string({ unit: fc.constantFrom(...Array.from("ab.*?[]!^-{},/\\:1")), maxLength: 30 });
  const run = fc.property(
    fc.oneof(soup, fc.string(), fc.string({ unit: "binary" }), glob),
    options,
    (text, options) => {
      const compiled = tryCompile(text, options);
      expect(typeof compiled?.matches("a/b")).toBe(compiled === undefined ? "undefined" : "boolean");
    },
  );
  fc.assert(run, { numRuns });
});

test("? is one character of valid UTF-8, or one byte of what is none", () => {
  const byte = fc.oneof(
    fc.constantFrom(0x61, 0x7f, 0x80, 0xbf, 0xc1, 0xc2, 0xc3, 0xe0, 0xa0, 0x9f, 0xe2, 0x82, 0xac, 0xed, 0xef, 0xbf),
    fc.constantFrom(0xf0, 0x90, 0x8f, 0x98, 0x80, 0xf4, 0xf5, 0xf8, 0xff),
    fc.integer({ min: 0x30, max: 255 }),
  );
  const name = fc.array(byte, { minLength: 1, maxLength: 12 }).map((bytes) => Buffer.from(bytes));
  const run = fc.property(name, (name) => {
    const units = count(name);
    const fits = (length: number, mark: string): boolean =>
      compileGlob(mark.repeat(length)).matches(name.toString("latin1"));
    expect([units - 1, units, units + 1].filter((length) => length > 0 && fits(length, "?"))).toEqual([units]);
    expect(fits(units, "[!/]".replace("/", "x"))).toBe(!name.includes("x"));
  });
  fc.assert(run, { numRuns });
});

/** By trying, at each byte, which length makes one character. */
function count(name: Buffer): number {
  let units = 0;
  for (let at = 0; at < name.length; units++) {
    at += [4, 3, 2].find((size) => at + size <= name.length && oneCharacter(name.subarray(at, at + size))) ?? 1;
  }
  return units;
}

function oneCharacter(bytes: Buffer): boolean {
  return isUtf8(bytes) && Array.from(bytes.toString("utf8")).length === 1;
}
