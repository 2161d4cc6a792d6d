import { expect, test } from "vitest";
import { fit, type Anchors } from "../../src/nearest/fit.js";

const FREE: Anchors = { start: false, end: false };

/** The part found, with bars around it. */
function found(line: string, wanted: string, anchors = FREE): string {
  const { from, to } = fit(line, wanted, anchors);
  return `${line.slice(0, from)}|${line.slice(from, to)}|${line.slice(to)}`;
}

test.for([
  ["x = foo(bar);", "foo(bar)", "x = |foo(bar)|;"],
  ["x = foo(baz);", "foo(bar)", "x = |foo(baz)|;"],
  ["x = foo(bat);", "foo(ba)", "x = |foo(bat)|;"],
  ["x = foo( bar );", "foo(bar)", "x = |foo( bar )|;"],
  ["\tfoo();", "    foo();", "|\tfoo();|"],
  ["a say(“hi”) b", 'say("hi")', "a |say(“hi”)| b"],
  ["aXc", "abc", "|aXc|"],
  ["xabx abd", "abc", "x|abx| abd"],
  ["abab abab", "ab", "|ab|ab abab"],
  ["abc", "", "||abc"],
  ["", "abc", "||"],
] as const)("in %j, %j is %j", ([line, wanted, expected]) => {
  expect(found(line, wanted)).toBe(expected);
});

test("a part may be held to the beginning of the line, or to its end", () => {
  expect(found("foo(a); foo(b);", "foo(b", { start: true, end: false })).toBe("|foo(a|); foo(b);");
  expect(found("foo(a); foo(b); bar", "foo(a); bar", { start: false, end: true })).toBe("foo(a); |foo(b); bar|");
  expect(found("foo", "a foo b", { start: true, end: true })).toBe("|foo|");
});

test("the same is 1, whitespace and look-alikes cost less than letters, strangers are 0", () => {
  const similarity = (line: string, wanted: string): number => fit(line, wanted, FREE).similarity;
  expect(similarity("say “hi”", "say “hi”")).toBe(1);
  expect(similarity("say “hi”", 'say "hi"')).toBeGreaterThan(similarity("say 1hi1", 'say "hi"'));
  expect(similarity("say  hi", "say hi")).toBeGreaterThan(similarity("sayhhi", "say hi"));
  expect(similarity("SAY HI", "say hi")).toBeGreaterThan(similarity("sat hu", "say hi"));
  expect(similarity("12345", "abcde")).toBe(0);
});

const words = (from: number, count: number): string =>
  Array.from({ length: count }, (_, n) => `word${from + n}`).join(" ");

test.for([
  ["nothing changed", words(0, 200), words(50, 100), words(50, 100)],
  [
    "a word more in the line",
    `${words(0, 100)} more ${words(100, 100)}`,
    words(50, 100),
    `${words(50, 50)} more ${words(100, 50)}`,
  ],
  [
    "a word less in the line",
    `${words(0, 100)} ${words(101, 100)}`,
    words(50, 100),
    `${words(50, 50)} ${words(101, 49)}`,
  ],
  [
    "the same words over and over",
    "again ".repeat(400).trim(),
    `Again ${"again ".repeat(200)}`.trim(),
    "again ".repeat(201).trim(),
  ],
] as const)("a long text is placed by its two ends: %s", ([, line, wanted, expected]) => {
  const { from, to } = fit(line, wanted, FREE);
  expect(line.slice(from, to)).toBe(expected);
  const held = fit(`${words(900, 9)}${expected}`, wanted, { start: false, end: true });
  expect(`${words(900, 9)}${expected}`.slice(held.from, held.to)).toBe(expected);
  const begun = fit(`${expected}${words(900, 9)}`, wanted, { start: true, end: false });
  expect(`${expected}${words(900, 9)}`.slice(begun.from, begun.to)).toBe(expected);
});
