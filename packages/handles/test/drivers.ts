import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test as base } from "vitest";
import { openDatabase, type Database, type DatabaseOptions, type DriverKind, type SqliteAccess } from "../src/index.js";
import { ormOf, type Orm } from "../src/sqlite/orm.js";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const hasNodeSqlite = major > 22 || (major === 22 && minor >= 13);

const hasBetterSqlite = await import("better-sqlite3")
  .then(({ default: Client }) => new Client(":memory:").close())
  .then(
    () => true,
    () => false,
  );

/** Every kind of database that this Node can open. */
export const KINDS: readonly DriverKind[] = [
  ...(hasBetterSqlite ? (["better-sqlite3"] as const) : []),
  ...(hasNodeSqlite ? (["node:sqlite"] as const) : []),
  "memory",
];
export const SQLITE_KINDS = KINDS.filter((kind) => kind !== "memory");

if (!hasBetterSqlite) console.warn("better-sqlite3 does not load here: its tests are skipped");
if (!hasNodeSqlite) console.warn(`Node ${process.versions.node} has no node:sqlite: its tests are skipped`);

export interface Opened {
  readonly database: Database;
  readonly warnings: readonly string[];
}

/** A SQLite database together with the access that a backend gets. */
export interface SqliteDatabase extends Database, SqliteAccess {
  readonly orm: Orm;
}

interface Fixtures {
  /** A fresh folder. */
  readonly dir: string;
  /** Opens a database in it that is closed after the test. */
  readonly open: (options?: Partial<DatabaseOptions>) => Promise<Opened>;
  readonly openSqlite: (options?: Partial<DatabaseOptions>) => Promise<Opened & { readonly database: SqliteDatabase }>;
}

export const test = base.extend<Fixtures>({
  dir: async ({}, use) => {
    const dir = await mkdtemp(join(tmpdir(), "handles-"));
    await use(dir);
    await rm(dir, { recursive: true, force: true });
  },
  open: async ({ dir }, use) => {
    const databases: Database[] = [];
    await use(async (options = {}) => {
      const warnings: string[] = [];
      const database = await openDatabase({ dataDir: dir, warn: (text) => void warnings.push(text), ...options });
      databases.push(database);
      return { database, warnings };
    });
    await Promise.all(databases.map((database) => database.close()));
  },
  openSqlite: async ({ open }, use) => {
    await use(async (options) => {
      const { database, warnings } = await open(options);
      return { database: await withAccess(database), warnings };
    });
  },
});

async function withAccess(database: Database): Promise<SqliteDatabase> {
  const access = await database.openStore<SqliteAccess>({
    memory: async () => expect.unreachable("a database in memory has no tables"),
    sqlite: async (given) => given,
  });
  return {
    kind: database.kind,
    openStore: (backends) => database.openStore(backends),
    close: () => database.close(),
    orm: ormOf(access),
    migrate: (module, work) => access.migrate(module, work),
    run: (work, signal) => access.run(work, signal),
  };
}
