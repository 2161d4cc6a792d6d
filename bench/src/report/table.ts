import type { Result } from "./result.js";
import { missed, type Row } from "./row.js";

/** All that the README says about numbers, made from the JSON and nothing else. */
export function renderResult(result: Result): string {
  const groups = [...new Set(result.rows.map((row) => row.group))];
  return [
    provenance(result),
    verdict(result.rows),
    ...groups.map((group) =>
      section(
        group,
        result.rows.filter((row) => row.group === group),
      ),
    ),
  ].join("\n\n");
}

function provenance({ date, seconds, machine, versions, added = [] }: Result): string {
  const { cpu, cores, memoryGiB, kernel, node, load } = machine;
  const measured = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `Measured ${date.slice(0, 10)} in ${Math.round(seconds)} s on ${cores} × ${cpu}, ${memoryGiB} GiB, Linux ${kernel}, Node ${node};`,
    `load average ${load.before} before, ${load.after} after. ${measured.join(", ")}.`,
    ...added.map(
      (one) =>
        `Measured on ${one.date.slice(0, 10)} in ${Math.round(one.seconds)} s, load average ${one.load.before} before, ${one.load.after} after: ${one.group}.`,
    ),
  ].join("\n");
}

function verdict(rows: readonly Row[]): string {
  const goals = rows.filter((row) => row.goal !== null).length;
  const open = missed(rows);
  if (open.length === 0) return `**${goals} of ${goals} goals are met.**`;
  const names = open.map((row) => `- ${row.case}, ${row.subject}: ${shownAgainstGoal(row)}`);
  return [`**${goals - open.length} of ${goals} goals are met.** Not:`, "", ...names].join("\n");
}

function shownAgainstGoal({ goal, ratio, median, p95, unit, note }: Row): string {
  if (goal === null || goal.met === null) return note ?? "not measured";
  const shown = { ratio: `${ratio?.value} × ${ratio?.to}`, median: `${median} ${unit}`, p95: `p95 ${p95} ${unit}` };
  return `${shown[goal.of]}, goal ${goal.text}`;
}

const HEAD = ["", "", "median", "p95", "n", "ratio", "goal"];
const RIGHT = new Set([2, 3, 4]);

function section(group: string, rows: readonly Row[]): string {
  const lines = rows.map((row, index) => cells(row, rows[index - 1]));
  return [`### ${group}`, "", ...aligned([HEAD, ...lines]), ...notes(rows)].join("\n");
}

/** Columns are as wide as the formatter would make them, so that it has nothing to change. */
function aligned(lines: readonly (readonly string[])[]): string[] {
  const widths = HEAD.map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const row = (line: readonly string[]) =>
    `| ${line.map((cell, column) => (RIGHT.has(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join(" | ")} |`;
  const rule = widths.map((width, column) => (RIGHT.has(column) ? `${"-".repeat(width - 1)}:` : "-".repeat(width)));
  const [head = HEAD, ...rest] = lines;
  return [row(head), row(rule), ...rest.map(row)];
}

function cells(row: Row, above: Row | undefined): string[] {
  const { subject, unit, median, p95, n, ratio, goal } = row;
  const number = (value: number | null) =>
    value === null ? "–" : value.toLocaleString("en-US", { maximumFractionDigits: 3 });
  return [
    above?.case === row.case ? "" : row.case,
    row.note === null ? subject : `${subject} †`,
    median === null ? "not measured" : `${number(median)} ${unit}`,
    n > 1 ? number(p95) : "",
    n > 1 ? String(n) : "",
    ratio === null ? "" : `${number(ratio.value)} × ${ratio.to}`,
    goal === null ? "" : `${goal.text}: ${goal.met === true ? "met" : goal.met === false ? "**missed**" : "**open**"}`,
  ];
}

function notes(rows: readonly Row[]): string[] {
  const told = rows.filter((row) => row.note !== null).map((row) => `- † ${row.case}, ${row.subject}: ${row.note}.`);
  return told.length === 0 ? [] : ["", ...told];
}
