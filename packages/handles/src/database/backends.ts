/**
 * Opens one store on each kind of database. A further kind is a further member here, so the compiler names every store
 * that lacks it.
 */
export interface Backends<Store> {
  memory(access: MemoryAccess): Promise<Store>;
  sqlite(access: SqliteAccess): Promise<Store>;
}

/** Access of a backend to the database in memory. The backend keeps its own maps. */
export interface MemoryAccess {
  /** Throws after the database was closed, or if the call was cancelled. */
  check(signal?: AbortSignal): void;
}

/** Access of a backend to a SQLite database. Callbacks are synchronous because the drivers are. */
export interface SqliteAccess {
  /**
   * drizzle's synchronous database. The type is unknown here and the backend casts it back, because drizzle's own
   * declarations fail the type check of a program that checks its libraries.
   */
  readonly orm: unknown;
  /** Migrates the tables of `module` to the latest step. Each step is a list of statements. */
  migrate(module: string, work: readonly (readonly string[])[]): Promise<void>;
  /**
   * Runs synchronous queries, and retries all of `work` while another process holds a lock. So `work` must be one
   * statement or one transaction.
   */
  run<T>(work: () => T, signal?: AbortSignal): Promise<T>;
}
