import { describe, expect, test } from "vitest";
import { ARGUMENT_RULES } from "../../src/policy/argument-rules.js";
import { checkRules, judgeArguments } from "../../src/policy/judge-arguments.js";
import { splitCommand } from "../../src/policy/split-command.js";

function judged(line: string) {
  const split = splitCommand(line);
  if (!("argv" in split)) throw new Error(`no plain words: ${line}`);
  const [program = "", ...args] = split.argv;
  return judgeArguments([program], args);
}

describe.each(ARGUMENT_RULES.map((rule) => [rule.programs.join(", "), rule] as const))(
  "%s",
  (_, { match, notMatch }) => {
    test.each(match)("refused: %s", (line) => expect(judged(line)).toBeDefined());
    test.each(notMatch)("not refused: %s", (line) => expect(judged(line)).toBeUndefined());
  },
);

test("a rule whose examples fail is no rule", () => {
  const rule = { programs: ["x"], does: "y", words: ["-a"], match: ["x -a"], notMatch: ["x -b"] };

  expect(() => checkRules([rule])).not.toThrow();
  expect(() => checkRules([{ ...rule, match: ["x -b"] }])).toThrow(/wrong about: x -b/);
  expect(() => checkRules([{ ...rule, notMatch: ["x -a"] }])).toThrow(/wrong about: x -a/);
  expect(() => checkRules([{ ...rule, match: ["z -a"] }])).toThrow(/no command of its rule/);
});
