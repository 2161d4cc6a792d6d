import type { Database } from "@llmc/handles";
import type { KeptCalls, Retention } from "../store/calls.js";
import type { TeCalls } from "../store/te-calls.js";

/** Loads only the backend of this kind of database. */
export function openCalls(database: Database, retention: Retention): Promise<KeptCalls> {
  return database.openStore<KeptCalls>({
    memory: async () => (await import("../store/memory-calls.js")).memoryCalls(retention),
    sqlite: async (access) => (await import("../sqlite/calls.js")).sqliteCalls(access, retention),
  });
}

export function openTeCalls(database: Database, retention: Retention): Promise<TeCalls> {
  return database.openStore<TeCalls>({
    memory: async () => (await import("../store/memory-te-calls.js")).memoryTeCalls(retention),
    sqlite: async (access) => (await import("../sqlite/te-calls.js")).sqliteTeCalls(access, retention),
  });
}
