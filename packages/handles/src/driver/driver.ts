import type { SqliteKind } from "../database/database.js";

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

/** Interface of a SQLite driver. All code above the interface is the same for every driver. */
export interface Driver {
  readonly kind: SqliteKind;
  open(file: string): NativeConnection;
}
