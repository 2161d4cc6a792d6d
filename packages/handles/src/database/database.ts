import type { SqliteKind } from "../driver/driver.js";
import type { Orm } from "../sqlite/orm.js";

export type DriverKind = SqliteKind | "memory";

export interface DatabaseOptions {
  /** Where `linuxops.db` lies. Null keeps everything in memory, as the caller asked: no warning. */
  readonly dataDir: string | null;
  /** Forces a driver; the choice is the server's otherwise. */
  readonly driver?: DriverKind | undefined;
  readonly warn: (message: string) => void;
  /** How long SQLite itself waits for a lock, with the event loop blocked. */
  readonly busyTimeoutMs?: number | undefined;
  /** How long a call waits for a lock altogether. */
  readonly retryMs?: number | undefined;
}

/** The database of the whole server. Several packages keep their own tables in it. */
export interface Database {
  readonly kind: DriverKind;
  readonly file: string | null;
  /** Null where the kind is memory: there each store keeps its own maps. */
  readonly orm: Orm | null;
  /** Brings the tables of `module` up to the last step. Each step is a list of statements. */
  migrate(module: string, steps: readonly (readonly string[])[]): Promise<void>;
  /**
   * Runs synchronous queries, again as long as another process holds a lock. `work` must therefore be one statement
   * or one transaction: what it did before it met the lock is done twice otherwise.
   */
  run<T>(work: () => T, signal?: AbortSignal): Promise<T>;
  close(): Promise<void>;
}
