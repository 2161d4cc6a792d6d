import { EngineUnavailableError } from "@llmc/errors";
import type { SqliteKind } from "../database/database.js";
import type { Driver } from "./driver.js";

/** Why a driver cannot serve here, for the operator. */
export interface DriverProblem {
  readonly kind: SqliteKind;
  readonly problem: string;
}

const LOADERS: Readonly<Record<SqliteKind, () => Promise<Driver>>> = {
  "better-sqlite3": async () => (await import("./better-sqlite.js")).loadBetterSqlite(),
  "node:sqlite": async () => (await import("./node-sqlite.js")).loadNodeSqlite(),
};

/** Returns the first driver that loads, else the problem of each driver. */
export async function loadDriver(): Promise<Driver | readonly DriverProblem[]> {
  const problems: DriverProblem[] = [];
  for (const kind of ["better-sqlite3", "node:sqlite"] as const) {
    try {
      return await LOADERS[kind]();
    } catch (thrown) {
      problems.push({ kind, problem: firstLine(thrown) });
    }
  }
  return problems;
}

export async function requireDriver(kind: SqliteKind): Promise<Driver> {
  try {
    return await LOADERS[kind]();
  } catch (thrown) {
    throw new EngineUnavailableError(`The SQLite driver ${kind}`, firstLine(thrown), "Let the server choose a driver.");
  }
}

function firstLine(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return text.split("\n", 1)[0] ?? "";
}
