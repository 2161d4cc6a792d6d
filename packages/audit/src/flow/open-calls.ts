import type { Database } from "@llmc/handles";
import type { KeptCalls, Retention } from "../store/calls.js";

/** Loads only the backend of this kind of database. */
export function openCalls(database: Database, retention: Retention): Promise<KeptCalls> {
  return database.openStore<KeptCalls>({
    memory: async () => (await import("../store/memory-calls.js")).memoryCalls(retention),
    sqlite: async (access) => (await import("../sqlite/calls.js")).sqliteCalls(access, retention),
  });
}
