import { BetterSQLiteSession } from "drizzle-orm/better-sqlite3/session";
import { BaseSQLiteDatabase, SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import type { SqliteAccess } from "../database/backends.js";
import type { RunResult } from "../driver/driver.js";
import type { Connection } from "./connection.js";

/** The query layer, whatever the driver below. */
export type Orm = BaseSQLiteDatabase<"sync", RunResult>;

/** Built from its parts: `drizzle-orm/better-sqlite3` itself imports the driver, which may be missing here. */
export function createOrm(connection: Connection): Orm {
  const dialect = new SQLiteSyncDialect();
  type Client = ConstructorParameters<typeof BetterSQLiteSession>[0];
  const session = new BetterSQLiteSession(connection as unknown as Client, dialect, undefined);
  return new BaseSQLiteDatabase("sync", dialect, session, undefined) as unknown as Orm;
}

/** Returns the query layer of an opened database with its own type. */
export function ormOf({ orm }: SqliteAccess): Orm {
  return orm as Orm;
}
