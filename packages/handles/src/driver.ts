import { EngineUnavailableError } from "@llmc/errors";

/** A statement of either driver. `arrays` statements give rows as arrays, in the order of the columns. */
export interface NativeStatement {
  run(...params: unknown[]): RunResult;
  all(...params: unknown[]): unknown[];
  get(...params: unknown[]): unknown;
}

export interface RunResult {
  readonly changes: number;
  readonly lastInsertRowid: number | bigint;
}

export interface NativeConnection {
  exec(sql: string): void;
  prepare(sql: string, arrays: boolean): NativeStatement;
  close(): void;
}

export type SqliteKind = "better-sqlite3" | "node:sqlite";

/** The port: what a SQLite driver must offer. Everything above it is the same for all of them. */
export interface Driver {
  readonly kind: SqliteKind;
  open(file: string): NativeConnection;
}

/** Why a driver cannot serve here, for the operator. */
export interface DriverProblem {
  readonly kind: SqliteKind;
  readonly problem: string;
}

type Loader = () => Promise<Driver>;

const LOADERS: Readonly<Record<SqliteKind, Loader>> = {
  "better-sqlite3": async () => (await import("./better-sqlite.js")).loadBetterSqlite(),
  "node:sqlite": async () => (await import("./node-sqlite.js")).loadNodeSqlite(),
};

/** The first driver that loads, or what kept each of them from it. */
export async function loadDriver(
  loaders: Readonly<Record<SqliteKind, Loader>> = LOADERS,
): Promise<Driver | readonly DriverProblem[]> {
  const problems: DriverProblem[] = [];
  for (const kind of ["better-sqlite3", "node:sqlite"] as const) {
    try {
      return await loaders[kind]();
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
