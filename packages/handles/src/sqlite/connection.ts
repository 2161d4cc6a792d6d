import type { NativeConnection, NativeStatement, RunResult } from "../driver/driver.js";

/**
 * What drizzle's better-sqlite3 session asks of its client, on any driver. The connection below can be exchanged (the
 * file was corrupt, or somebody removed it): statements prepared before go on working, on the new one.
 */
export class Connection {
  #native: NativeConnection;
  #generation = 0;
  readonly #begin = {
    deferred: this.prepare("BEGIN"),
    immediate: this.prepare("BEGIN IMMEDIATE"),
    exclusive: this.prepare("BEGIN EXCLUSIVE"),
  };
  readonly #commit = this.prepare("COMMIT");
  readonly #rollback = this.prepare("ROLLBACK");

  constructor(native: NativeConnection) {
    this.#native = native;
  }

  /** Counts the exchanges. */
  get generation(): number {
    return this.#generation;
  }

  get native(): NativeConnection {
    return this.#native;
  }

  exchange(native: NativeConnection): void {
    this.#native = native;
    this.#generation += 1;
  }

  exec(sql: string): void {
    this.#native.exec(sql);
  }

  prepare(sql: string): Statement {
    return new Statement(this, sql, false);
  }

  transaction<Args extends unknown[], T>(body: (...args: Args) => T) {
    return {
      deferred: this.#within(this.#begin.deferred, body),
      immediate: this.#within(this.#begin.immediate, body),
      exclusive: this.#within(this.#begin.exclusive, body),
    };
  }

  #within<Args extends unknown[], T>(begin: Statement, body: (...args: Args) => T): (...args: Args) => T {
    return (...args) => {
      begin.run();
      try {
        const result = body(...args);
        this.#commit.run();
        return result;
      } catch (thrown) {
        this.#undo();
        throw thrown;
      }
    };
  }

  #undo(): void {
    try {
      this.#rollback.run();
    } catch {
      // SQLite has rolled back by itself already, as it does on a full disk; the first error is the one to tell.
    }
  }
}

export class Statement implements NativeStatement {
  readonly #connection: Connection;
  readonly #sql: string;
  readonly #arrays: boolean;
  #generation = -1;
  #native: NativeStatement | undefined;
  #raw: Statement | undefined;

  constructor(connection: Connection, sql: string, arrays: boolean) {
    this.#connection = connection;
    this.#sql = sql;
    this.#arrays = arrays;
  }

  /** The same statement with rows as arrays. */
  raw(): Statement {
    return (this.#raw ??= new Statement(this.#connection, this.#sql, true));
  }

  run(...params: unknown[]): RunResult {
    return this.#prepared().run(...params);
  }

  all(...params: unknown[]): unknown[] {
    return this.#prepared().all(...params);
  }

  get(...params: unknown[]): unknown {
    return this.#prepared().get(...params);
  }

  #prepared(): NativeStatement {
    const { generation, native } = this.#connection;
    if (this.#native === undefined || this.#generation !== generation) {
      this.#native = native.prepare(this.#sql, this.#arrays);
      this.#generation = generation;
    }
    return this.#native;
  }
}
