import { expect, test } from "vitest";
import { Automaton } from "../../src/automaton/automaton.js";
import { globPlaces } from "../../src/glob/glob-places.js";
import { bytesHeld, hold } from "../../src/automaton/memory.js";
import type { Place } from "../../src/automaton/nfa.js";
import { parseGlob } from "../../src/glob/parse-glob.js";

const automaton = (text: string): Automaton => new Automaton(globPlaces(parseGlob(text)).path as Place, { dot: true });

test("the pattern itself counts, and each character that is not ASCII", () => {
  automaton("a".repeat(4000)).reach("b", 0, 1);
  const pattern = bytesHeld();
  const star = automaton("*");
  for (let code = 0x4e00; code < 0x4e00 + 1000; code++) {
    star.reach(Buffer.from(String.fromCodePoint(code)).toString("latin1"), 0, 3);
  }
  expect([pattern > 150_000, bytesHeld() - pattern > 50_000]).toEqual([true, true]);
});

test("those forget first that have not grown for the longest time", () => {
  const forgotten: string[] = [];
  const holder = (name: string) => ({ forget: () => void forgotten.push(name) });
  const [a, b, c, d] = [holder("a"), holder("b"), holder("c"), holder("d")] as const;
  for (const [each, bytes] of [
    [a, 2e6],
    [b, 2e6],
    [c, 2e6],
    [a, 5e5],
  ] as const)
    hold(each, bytes);
  expect([forgotten, bytesHeld() > 6_500_000]).toEqual([[], true]);
  hold(d, 3_000_000);
  expect(forgotten).toEqual(["b"]);
  hold(d, 4_000_000);
  expect([forgotten, bytesHeld()]).toEqual([["b", "c", "a"], 7_000_000]);
  hold(d, 2_000_000);
  expect([forgotten, bytesHeld()]).toEqual([["b", "c", "a", "d"], 0]);
});
