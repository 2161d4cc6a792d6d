import { once } from "node:events";
import { dirname } from "node:path";
import { openDatabase, type SqliteAccess } from "@llmc/handles";
import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";

const [file = ""] = process.argv.slice(2);
const database = await openDatabase({ dataDir: dirname(file), warn: () => {} });
const access = await database.openStore<SqliteAccess>({
  memory: () => Promise.reject(new Error("no driver")),
  sqlite: async (given) => given,
});
const orm = access.orm as BaseSQLiteDatabase<"sync", unknown>;
await access.run(() => orm.run("BEGIN EXCLUSIVE"));
process.send?.("locked");
await once(process, "message");
orm.run("ROLLBACK");
await database.close();
process.disconnect();
