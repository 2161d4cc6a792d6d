import { Connection } from "./connection.js";
import { identityOf } from "./data-file.js";
import type { Backends, SqliteAccess } from "../database/backends.js";
import { closedError, type Database } from "../database/database.js";
import { diskFullError, failureOf, toOpsError } from "./failure.js";
import { migrate, type Steps } from "./migrate.js";
import { createOrm, type Orm } from "./orm.js";
import { retryBusy } from "./retry.js";
import { openFile, setAside, type OpenFile, type SqliteFileOptions } from "./file.js";

export interface SqliteOptions extends SqliteFileOptions {
  readonly retryMs: number;
}

export async function openSqlite(options: SqliteOptions): Promise<Database> {
  try {
    return new SqliteDatabase(options, await retryBusy(() => openFile(options), options));
  } catch (thrown) {
    throw failureOf(thrown) === "full" ? diskFullError() : toOpsError(thrown);
  }
}

class SqliteDatabase implements Database, SqliteAccess {
  readonly kind;
  readonly orm: Orm;
  readonly #options: SqliteOptions;
  readonly #connection: Connection;
  readonly #modules = new Map<string, Steps>();
  readonly #migrated = new Set<string>();
  #identity: string | null;
  /** The connection is shut and has to be made anew before the next query. */
  #stale = false;
  #closed = false;

  constructor(options: SqliteOptions, { native, identity }: OpenFile) {
    this.kind = options.driver.kind;
    this.#options = options;
    this.#connection = new Connection(native);
    this.#identity = identity;
    this.orm = createOrm(this.#connection);
  }

  openStore<Store>(backends: Backends<Store>): Promise<Store> {
    return backends.sqlite(this);
  }

  async migrate(module: string, work: Steps): Promise<void> {
    this.#modules.set(module, work);
    try {
      await this.run(() => undefined);
    } catch (thrown) {
      // The others go on without this module.
      this.#modules.delete(module);
      throw thrown;
    }
  }

  async run<T>(work: () => T, signal?: AbortSignal): Promise<T> {
    let seen = this.#identity;
    const attempt = () => {
      this.#ready();
      seen = this.#identity;
      return work();
    };
    const retry = { retryMs: this.#options.retryMs, signal };
    try {
      return await retryBusy(attempt, retry);
    } catch (thrown) {
      if (failureOf(thrown) !== "corrupt") throw toOpsError(thrown);
      return await this.#afterRepair(thrown, seen, () => retryBusy(attempt, retry));
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.#stale) this.#connection.native.close();
  }

  async #afterRepair<T>(reason: unknown, seen: string | null, again: () => Promise<T>): Promise<T> {
    try {
      await retryBusy(() => this.#repair(reason, seen), this.#options);
      return await again();
    } catch (thrown) {
      throw toOpsError(thrown);
    }
  }

  #repair(reason: unknown, seen: string | null): void {
    // Another call of this process met the same fault and was first.
    if (seen !== this.#identity) return;
    // SQLite removes the log by name when it closes, so this must happen before another file has that name.
    this.#shut();
    setAside(this.#options, seen, reason);
    this.#identity = null;
  }

  /** Cheap when nothing happened: one stat. */
  #ready(): void {
    if (this.#closed) throw closedError();
    if (!this.#stale && identityOf(this.#options.file) !== this.#identity) {
      // Removed, or set aside by another process: rows written to the old file would be seen by nobody.
      this.#options.warn(`The database ${this.#options.file} was removed or replaced; it is opened anew.`);
      this.#shut();
    }
    if (this.#stale) this.#reopen();
    for (const [module, work] of this.#modules) {
      if (this.#migrated.has(module)) continue;
      migrate(this.#connection, this.#options.file, module, work);
      this.#migrated.add(module);
    }
  }

  #shut(): void {
    if (this.#stale) return;
    this.#stale = true;
    this.#connection.native.close();
  }

  #reopen(): void {
    const { native, identity } = openFile(this.#options);
    this.#connection.exchange(native);
    this.#identity = identity;
    this.#migrated.clear();
    this.#stale = false;
  }
}
