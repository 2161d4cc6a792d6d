import { expect, test } from "vitest";
import { addRows } from "../../src/report/add-rows.js";
import type { Result } from "../../src/report/result.js";
import type { Row } from "../../src/report/row.js";

const row = (group: string, median: number): Row => ({
  group,
  case: "c",
  subject: "s",
  unit: "ms",
  median,
  p95: null,
  n: 1,
  ratio: null,
  goal: null,
  note: null,
});

function run(date: string, rows: readonly Row[]): Result {
  const machine = { cpu: "", cores: 2, memoryGiB: 1, kernel: "", node: "", load: { before: 1, after: 2 } };
  return { date, seconds: 3, machine, versions: {}, rows };
}

test("rows of a later run take the place of their group's, and it is said when they were measured", () => {
  const kept = run("2026-01-01", [row("A", 1), row("B", 1)]);
  const load = { before: 1, after: 2 };

  const once = addRows(kept, run("2026-01-02", [row("B", 2), row("C", 2)]));
  const twice = addRows(once, run("2026-01-03", [row("C", 3)]));

  expect(once.rows.map(({ group, median }) => `${group}${median}`)).toEqual(["A1", "B2", "C2"]);
  expect(once.added).toEqual(["B", "C"].map((group) => ({ group, date: "2026-01-02", seconds: 3, load })));
  expect(twice.rows.map(({ group, median }) => `${group}${median}`)).toEqual(["A1", "B2", "C3"]);
  expect(twice.added?.map(({ group, date }) => [group, date])).toEqual([
    ["B", "2026-01-02"],
    ["C", "2026-01-03"],
  ]);
  expect([twice.date, twice.machine]).toEqual(["2026-01-01", kept.machine]);
});
