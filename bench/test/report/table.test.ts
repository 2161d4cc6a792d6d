import { expect, test } from "vitest";
import type { Result } from "../../src/report/result.js";
import { rowOf, type Measured } from "../../src/report/row.js";
import { renderResult } from "../../src/report/table.js";

const measured: Measured = {
  group: "Start",
  case: "spawn",
  subject: "smallest",
  unit: "ms",
  samples: [20, 10, 30],
};
const ours: Measured = {
  ...measured,
  subject: "LinuxOps",
  samples: [1_000, 1_200],
  against: { name: "smallest", median: 20 },
};
const result: Result = {
  date: "2026-11-18T12:00:00.000Z",
  seconds: 61,
  machine: {
    cpu: "Quick CPU",
    cores: 2,
    memoryGiB: 24,
    kernel: "6.1",
    node: "20.20.2",
    load: { before: 0.1, after: 1.2 },
  },
  versions: { LinuxOps: "0.0.0", peer: "1.2.3" },
  rows: [],
};
const HEAD = `Measured 2026-11-18 in 61 s on 2 × Quick CPU, 24 GiB, Linux 6.1, Node 20.20.2;
load average 0.1 before, 1.2 after. LinuxOps 0.0.0, peer 1.2.3.`;

test("a goal that is met, a case that is named once, and columns as the formatter wants them", () => {
  const rows = [rowOf(measured), rowOf({ ...ours, goal: { of: "ratio", atMost: 60 } })];
  expect(renderResult({ ...result, rows })).toBe(`${HEAD}

**1 of 1 goals are met.**

### Start

|       |          |   median |   p95 |   n | ratio         | goal        |
| ----- | -------- | -------: | ----: | --: | ------------- | ----------- |
| spawn | smallest |    20 ms |    30 |   3 |               |             |
|       | LinuxOps | 1,100 ms | 1,200 |   2 | 55 × smallest | ≤ 60 ×: met |`);
});

test("a missed goal stands first, with the figure that misses it", () => {
  const goals = [
    { of: "ratio", atMost: 5 },
    { of: "median", atMost: 70 },
    { of: "p95", atMost: 15 },
  ] as const;
  const text = renderResult({ ...result, rows: goals.map((goal) => rowOf({ ...ours, goal })) });
  expect(text).toContain(`**0 of 3 goals are met.** Not:

- spawn, LinuxOps: 55 × smallest, goal ≤ 5 ×
- spawn, LinuxOps: 1100 ms, goal ≤ 70 ms
- spawn, LinuxOps: p95 1200 ms, goal p95 ≤ 15 ms
`);
  expect(text.match(/\*\*missed\*\*/g)).toHaveLength(3);
});

test("what was not measured says so in its row and why below it", () => {
  const rows = [rowOf(measured), rowOf({ ...ours, samples: [], missing: "not installed" })];
  const text = renderResult({ ...result, rows });
  expect(text).toContain("| LinuxOps † | not measured |     |     |       |      |");
  expect(text.endsWith("\n\n- † spawn, LinuxOps: not measured: not installed.")).toBe(true);
});

test("an answer that was wrong is marked beside its time", () => {
  const rows = [rowOf({ ...measured, note: "wrong: line 5 came back" })];
  const text = renderResult({ ...result, rows });
  expect(text).toContain("| smallest † |");
  expect(text.endsWith("\n\n- † spawn, smallest: wrong: line 5 came back.")).toBe(true);
});

test("an open goal is told with the reason why it is open", () => {
  const rows = [rowOf({ ...ours, samples: [], missing: "it ended (1)", goal: { of: "ratio", atMost: 5 } })];
  expect(renderResult({ ...result, rows })).toContain(
    "**0 of 1 goals are met.** Not:\n\n- spawn, LinuxOps: not measured: it ended (1)\n",
  );
});

test("each group has a table of its own", () => {
  const rows = [rowOf(measured), rowOf({ ...measured, group: "Memory" })];
  expect(renderResult({ ...result, rows }).match(/^### .*$/gm)).toEqual(["### Start", "### Memory"]);
});
