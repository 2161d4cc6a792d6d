/**
 * One store on each kind of database. Another kind of database is another member here, and the compiler then names
 * every store that lacks it.
 */
export interface Backends<Store> {
  memory(access: MemoryAccess): Promise<Store>;
  sqlite(access: SqliteAccess): Promise<Store>;
}

/** The part of a database in memory that a backend uses: the backend keeps its own maps. */
export interface MemoryAccess {
  /** Throws after the database was closed, or if the call was cancelled. */
  check(signal?: AbortSignal): void;
}

/** The part of a SQLite database that a backend uses. Its callbacks are synchronous because the drivers are. */
export interface SqliteAccess {
  /**
   * drizzle's synchronous database. The type is unknown here, and given back by the backend, because drizzle's own
   * declarations fail the type check of a program that checks its libraries.
   */
  readonly orm: unknown;
  /** Brings the tables of `module` up to the last step. Each step is a list of statements. */
  migrate(module: string, work: readonly (readonly string[])[]): Promise<void>;
  /**
   * Runs synchronous queries, again as long as another process holds a lock. `work` must therefore be one statement
   * or one transaction, because a retry repeats everything.
   */
  run<T>(work: () => T, signal?: AbortSignal): Promise<T>;
}
