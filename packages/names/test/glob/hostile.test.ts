import { expect, onTestFinished, test, vi } from "vitest";
import { Automaton, type State } from "../../src/automaton/automaton.js";
import { globPlaces } from "../../src/glob/glob-places.js";
import { compileGlob } from "../../src/glob/glob.js";
import { NOTHING_IGNORED } from "../../src/ignore/ignore-stack.js";
import { compileIgnore } from "../../src/ignore/ignore.js";
import { bytesHeld } from "../../src/automaton/memory.js";
import { Builder, type Place } from "../../src/automaton/nfa.js";
import { parseGlob } from "../../src/glob/parse-glob.js";
import { programOf } from "../../src/automaton/program.js";
import { wildmatchPlaces } from "../../src/ignore/wildmatch.js";

/** a and b, without a pattern, and the same in each run. */
function noise(length: number, seed: number): string {
  let [text, state] = ["", seed * 7919 + 13];
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    text += state & 0x10000 ? "a" : "b";
  }
  return text;
}

const names = (length: number): string[] => ["a".repeat(length), "ab".repeat(length / 2), noise(length, 1)];
const paths = (length: number): string[] => names(length / 2).map((name) => Array.from(name).join("/"));

const asGlob = (text: string): Place => globPlaces(parseGlob(text)).path as Place;
const asIgnore = (text: string): Place => {
  const builder = new Builder(100_000);
  return wildmatchPlaces(builder, text, builder.accept(0)) as Place;
};

// Each makes a matcher that goes back, or one that writes braces out, take for ever.
const HOSTILE: [string, (text: string) => Place, (size: number) => string][] = [
  ["stars", asGlob, (size) => `${"a*".repeat(size)}c`],
  ["stars and classes", asGlob, (size) => `${"[!c]*".repeat(size)}c`],
  ["a choice long ago", asGlob, (size) => `*a${"?".repeat(size)}`],
  ["folders", asGlob, (size) => `${"**/*a/".repeat(size)}c`],
  ["folders in braces", asGlob, (size) => `${"{**,*}/".repeat(size)}c`],
  ["braces in a row", asGlob, (size) => `${"{a,b}".repeat(size)}c`],
  ["stars in braces", asGlob, (size) => `${"{a*,*b}".repeat(size)}c`],
  ["braces of nothing", asGlob, (size) => `${"{,}".repeat(size)}c`],
  ["many alternatives", asGlob, (size) => `{${Array.from({ length: size }, (_, nth) => `*a*${nth}`).join(",")}}`],
  ["nested braces", asGlob, (size) => `${"{a,b".repeat(30)}${"*a".repeat(size)}${"}".repeat(30)}`],
  ["stars, to git", asIgnore, (size) => `${"a*".repeat(size)}c`],
  ["folders, to git", asIgnore, (size) => `${"**/a*/".repeat(size)}c`],
  ["classes, to git", asIgnore, (size) => `${"[[:alpha:]]*".repeat(size)}c`],
];

/** Places looked at when a pattern of this size meets paths of this length. */
function work(start: Place, size: number): number {
  const automaton = new Automaton(start, { dot: true });
  for (const path of [...names(size), ...paths(size)]) automaton.reach(path, 0, path.length);
  return automaton.work;
}

test.for(HOSTILE)("%s: twice the pattern on twice the path is at most four times the work", ([, read, write]) => {
  const [small, large] = [60, 120].map((size) => work(read(write(size)), size)) as [number, number];
  expect(large / small).toBeLessThan(4.5);
});

test.for(HOSTILE)(
  "%s: a step looks at no place twice, and the pattern has few for each character",
  ([, read, write]) => {
    const [text, size] = [write(100), 200];
    const start = read(text);
    const places = programOf(start).size;
    expect(places).toBeLessThan(8 * text.length);
    const characters = [...names(size), ...paths(size)].join("").length;
    expect(work(start, size)).toBeLessThan(3 * places * characters);
  },
);

test("what was read once is not worked out again", () => {
  const automaton = new Automaton(asGlob("{src,lib}/**/*.{ts,tsx,€}"), { dot: false });
  const read = (): number => {
    for (const path of ["src/a/b.ts", "lib/\xe2\x82\xac.\xe2\x82\xac", "x", "src/.a"])
      automaton.reach(path, 0, path.length);
    return automaton.work;
  };
  const first = read();
  expect([first > 0, read()]).toEqual([true, first]);
});

test("what is kept of all patterns together is bounded, and the answers do not depend on it", () => {
  const globs = Array.from({ length: 50 }, (_, nth) => compileGlob(`*a${"?".repeat(60 + nth)}`));
  const words = [noise(200, 1), noise(200, 2), noise(200, 3)];
  for (const [nth, { matches }] of globs.entries()) {
    for (const word of words) expect(matches(word)).toBe(word.at(-61 - nth) === "a");
    expect(bytesHeld()).toBeLessThan(8_000_000);
  }
  expect(bytesHeld()).toBeGreaterThan(6_000_000);
  expect(words.map((word) => globs.map(({ matches }) => matches(word)))).toEqual(
    words.map((word) => globs.map((_, nth) => word.at(-61 - nth) === "a")),
  );
});

/** All states that an automaton knows. */
function statesOf({ start }: Automaton): Set<State> {
  const states = new Set([start]);
  for (const { low, high } of states) {
    for (const next of [...low, ...(high?.values() ?? [])]) if (next !== undefined) states.add(next);
  }
  return states;
}

test("a pattern that never comes back to where it was keeps little", () => {
  const before = bytesHeld();
  const automaton = new Automaton(asGlob(`*a${"?".repeat(100)}`), { dot: true });
  for (let seed = 0; seed < 64; seed++) automaton.reach(noise(250, seed), 0, 250);
  // 256 freely, and one for each 32 of the 16,000 bytes.
  const states = statesOf(automaton);
  expect([states.size > 256, states.size <= 756]).toEqual([true, true]);
  expect(bytesHeld() - before).toBeLessThan(states.size * 2000);
  const passing = automaton.reach(noise(250, 99), 0, 250);
  automaton.reach(noise(250, 99), 0, 250, passing);
  expect([passing.kept, passing.low.length, states.has(passing)]).toEqual([false, 0, false]);
  automaton.forget();
  for (let seed = 0; seed < 3; seed++) automaton.reach(noise(250, seed), 0, 250);
  expect(statesOf(automaton).size).toBeLessThanOrEqual(256 + 24);
});

test("a path that comes again and again is known in the end, even to such a pattern", () => {
  const automaton = new Automaton(asGlob(`*a${"?".repeat(100)}`), { dot: true });
  const read = (seed: number): number => {
    const before = automaton.work;
    automaton.reach(noise(250, seed), 0, 250);
    return automaton.work - before;
  };
  for (let seed = 0; seed < 20; seed++) read(seed);
  expect(read(99)).toBeGreaterThan(10_000);
  for (let again = 0; again < 60; again++) read(99);
  expect(read(99)).toBe(0);
  automaton.forget();
  read(99);
  expect(read(99)).toBe(0);
});

test("what makes no difference leads to the same state", () => {
  const automaton = new Automaton(asGlob("*b{c,d}?"), { dot: true });
  const reach = (path: string) => automaton.reach(path, 0, path.length);
  expect([reach("xb") === reach("aabb"), reach("bc") === reach("xbd"), reach("b") === reach("c")]).toEqual([
    true,
    true,
    false,
  ]);
});

test("sets of places are told apart even where their codes do not", () => {
  const random = vi.spyOn(Math, "random").mockReturnValue(0);
  onTestFinished(() => random.mockRestore());
  const { matches } = compileGlob("{a{b,c}d*e,ax?z}");
  const taken = ["abde", "acdxe", "axyz", "abd", "axy", "ae", "axyzz", "abdez"].filter((name) => matches(name));
  expect(taken).toEqual(["abde", "acdxe", "axyz"]);
});

test("a path that cannot match any more is not read on", () => {
  const automaton = new Automaton(asGlob("src/*"), { dot: true });
  const read: number[] = [];
  const path = { charCodeAt: (at: number) => (read.push(at), "lib/x/y/z".charCodeAt(at)) };
  automaton.reach(path as string, 0, 9);
  expect(read).toEqual([0]);
});

test("an automaton that forgets lets go of its states, and goes on from where it was", () => {
  const automaton = new Automaton(asGlob("a/**/b€?"), { dot: true });
  const { start } = automaton;
  const path = "a/x/b\xe2\x82\xacz";
  for (let at = 1; at < path.length; at++) {
    const half = automaton.reach(path, 0, 5);
    automaton.forget();
    expect(automaton.reach(path, 5, path.length, half).file).toBe(0);
  }
  automaton.forget();
  expect([start.low.some((state) => state !== undefined), start === automaton.start]).toEqual([false, false]);
});

test("rules with wildcards are bounded in a file and in a stack of files, and those beyond are counted", () => {
  const many = (rules: number): string => `${`${"?".repeat(99)}\n`.repeat(rules)}plain\n`;
  const one = compileIgnore(many(200));
  expect([one.taken, one.skipped, one.wildBytes]).toEqual([166, 35, 16_335]);
  expect(NOTHING_IGNORED.with(one).skipped).toBe(35);
  const stack = ["", "a", "a/b", "a/b/c"].reduce(
    (above, base) => above.with(compileIgnore(many(165), base)),
    NOTHING_IGNORED,
  );
  expect(stack.skipped).toBe(332);
  expect([compileIgnore("x\n*.y", "d"), one].map((rules) => stack.with(rules).skipped)).toEqual([332, 332 + 201]);
  expect([stack.ignored("a/plain", false), stack.ignored("a/b/c/x", false)]).toEqual([true, false]);
});
