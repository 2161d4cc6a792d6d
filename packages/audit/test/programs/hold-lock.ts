import { once } from "node:events";
import { dirname } from "node:path";
import { openDatabase } from "@llmc/handles";

const [file = ""] = process.argv.slice(2);
const database = await openDatabase({ dataDir: dirname(file), warn: () => {} });
const { orm } = database;
if (orm === null) throw new Error("no driver");
await database.run(() => orm.run("BEGIN EXCLUSIVE"));
process.send?.("locked");
await once(process, "message");
orm.run("ROLLBACK");
await database.close();
process.disconnect();
