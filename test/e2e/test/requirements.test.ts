import { expect, test } from "vitest";
import { checkRequirements, type CheckInput } from "../src/requirement-problems.js";

const fine: CheckInput = {
  requirements: {
    "001-R1": ["reads", "asked"],
    "001-R4": ["writes", "open: files"],
    "001-R9": ["old", "superseded: new"],
  },
  counts: { "001": 3 },
  topics: ["files"],
  passed: ["reads 001-R1"],
  others: [],
};

test("a list that is proved and counted has no problems, and prints what is open", () => {
  expect(checkRequirements(fine)).toEqual({
    problems: [],
    rest: ["001-R4 open: files (writes)", "001-R9 superseded: new (old)"],
    covered: ["001-R1"],
  });
});

test.for([
  ["an id that is not listed", { passed: ["001-R1 and 001-R77"] }, "001-R77"],
  ["an unlisted id in a failing test", { others: ["001-R78"] }, "001-R78"],
  ["an open id that is proved", { passed: ["001-R1 001-R4"] }, "001-R4 is marked open"],
  ["an asked id that nobody proves", { passed: [] }, "001-R1 (reads)"],
  ["an open id without a topic", { topics: [] }, 'open for "files"'],
  ["a lost row", { counts: { "001": 4 } }, "4 requirements, 3 are listed"],
] as const)("%s is a problem", ([, change, problem]) => {
  const { problems } = checkRequirements({ ...fine, ...change });
  expect(problems.join("\n")).toContain(problem);
});
