import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { columns } from "../columns.js";
import { readSources } from "../house/sources.js";
import type { Report } from "../report.js";
import { baselineText, moveProblems, nextBaseline, proseProblems, totalShares, type Prose } from "./baseline.js";
import { HABIT_NAMES, percent, sharesOf, type Shares } from "./habits.js";

/** `check` only compares; `write` stores better shares; `accept moves` stores all shares as they are. */
export type Mode = "check" | "write" | "accept moves";

/** Compares the comments below `root` with its scripts/prose.json, which the other modes write first. */
export function proseReport(root: string, mode: Mode): Report {
  const now: Prose = Object.fromEntries(readSources(root).map((one) => [one.dir, sharesOf(one)]));
  const file = join(root, "scripts/prose.json");
  const stored = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Prose) : {};

  const raised = mode === "accept moves" ? moveProblems(now, stored) : [];
  const isWriting = mode !== "check" && raised.length === 0;
  const baseline = isWriting ? nextBaseline(now, stored, mode === "accept moves") : stored;
  if (isWriting) writeFileSync(file, baselineText(baseline));

  const rows = Object.entries({ ...now, all: totalShares(now) }).map(row);
  return {
    table: columns([["package", "comments", ...HABIT_NAMES], ...rows]),
    packages: Object.keys(now).length,
    problems: [...raised, ...proseProblems(now, baseline)],
  };
}

function row([name, shares]: readonly [string, Shares]): string[] {
  const { of } = shares["of it/them/one"];
  return [name, String(of), ...HABIT_NAMES.map((habit) => percent(shares[habit]))];
}
