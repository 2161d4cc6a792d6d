import { expect, test } from "vitest";
import { judge, missed, rowOf, type Measured } from "../../src/report/row.js";

const measured: Measured = { group: "Start", case: "spawn", subject: "LinuxOps", unit: "ms", samples: [20, 10, 30] };

test("a row has the figures of its samples", () => {
  expect(rowOf(measured)).toEqual({
    group: "Start",
    case: "spawn",
    subject: "LinuxOps",
    unit: "ms",
    median: 20,
    p95: 30,
    n: 3,
    ratio: null,
    goal: null,
    note: null,
  });
});

test("a row is held against the median of another one", () => {
  const row = rowOf({ ...measured, against: { name: "smallest", median: 8 }, goal: { of: "ratio", atMost: 2.5 } });
  expect([row.ratio, row.goal]).toEqual([
    { to: "smallest", value: 2.5 },
    { of: "ratio", text: "≤ 2.5 ×", met: true },
  ]);
});

test("rounding does not make a missed goal a met one", () => {
  const row = rowOf({ ...measured, samples: [5.004], goal: { of: "median", atMost: 5 } });
  expect([row.median, row.goal?.met]).toEqual([5, false]);
});

test("of requests a second the p95 is the slow end", () => {
  expect(rowOf({ ...measured, unit: "requests/s" }).p95).toBe(10);
});

test("what could not be measured says why, and its goal stays open", () => {
  const row = rowOf({
    ...measured,
    samples: [],
    missing: "it could not be installed",
    against: { name: "smallest", median: 8 },
    goal: { of: "ratio", atMost: 5 },
  });
  expect(row).toMatchObject({
    median: null,
    p95: null,
    n: 0,
    ratio: null,
    goal: { of: "ratio", text: "≤ 5 ×", met: null },
    note: "not measured: it could not be installed",
  });
});

test("without a figure to be held against there is no ratio", () => {
  const against = { name: "smallest", median: null };
  const row = rowOf({ ...measured, against, goal: { of: "ratio", atMost: 5 } });
  expect([row.ratio, row.goal?.met]).toEqual([null, null]);
});

test.for([
  [{ of: "median", atMost: 70 }, 70, { of: "median", text: "≤ 70 ms", met: true }],
  [{ of: "median", atMost: 70 }, 70.1, { of: "median", text: "≤ 70 ms", met: false }],
  [{ of: "ratio", atLeast: 0.5 }, 0.49, { of: "ratio", text: "≥ 0.5 ×", met: false }],
  [{ of: "p95", atMost: 15 }, 3, { of: "p95", text: "p95 ≤ 15 ms", met: true }],
  [{ of: "p95", atMost: 15 }, undefined, { of: "p95", text: "p95 ≤ 15 ms", met: null }],
] as const)("the goal %j judges %s", ([goal, value, verdict]) => {
  expect(judge(goal, value, "ms")).toEqual(verdict);
});

test("missed are the goals that were missed and those that nobody could look at, and no others", () => {
  const goal = { of: "median", atMost: 20 } as const;
  const [met, over, open, none] = [
    rowOf({ ...measured, goal }),
    rowOf({ ...measured, samples: [21], goal }),
    rowOf({ ...measured, samples: [], goal }),
    rowOf(measured),
  ];
  expect(missed([met, over, open, none])).toEqual([over, open]);
});

test("where a goal names another subject besides, either will do", () => {
  const goal = { of: "ratio", atMost: 2, or: { to: "`ps`", atMost: 0.2 } } as const;
  const held = (other: number | null) => rowOf({ ...measured, against: { name: "C", median: 8 }, goal, other }).goal;
  const text = "≤ 2 × or ≤ 0.2 × `ps`";
  expect([held(100), held(99), held(null)]).toEqual([
    { of: "ratio", text, met: true },
    { of: "ratio", text, met: false },
    { of: "ratio", text, met: false },
  ]);
});
