import type { Database } from "@llmc/handles";
import type { Calls, Retention } from "../store/calls.js";

/** The query layer is loaded with the first database that needs it. */
export async function openCalls(database: Database, retention: Retention): Promise<Calls> {
  if (database.orm === null) {
    const { memoryCalls } = await import("../store/memory-calls.js");
    return memoryCalls(retention);
  }
  const { sqliteCalls } = await import("../sqlite/calls.js");
  return sqliteCalls(database, database.orm, retention);
}
