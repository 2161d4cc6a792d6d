import { boundsOf } from "../handle/bounds.js";
import type { Database } from "../database/database.js";
import type { HandleLimits, HandleStore } from "../handle/handle.js";
import { MemoryHandleStore } from "../memory/store.js";

export interface HandleStoreOptions {
  readonly limits: HandleLimits;
  /** Milliseconds since the epoch; for tests. */
  readonly now?: (() => number) | undefined;
}

const SWEEP_MS = 10 * 60_000;
const COMPRESS_AFTER_MS = 250;

export async function createHandleStore(database: Database, options: HandleStoreOptions): Promise<HandleStore> {
  const store = await openStore(database, options);
  // A sweep that fails is tried again; what is wrong with the database is told to the calls that need it.
  const timer = setInterval(() => void store.sweep().catch(() => undefined), SWEEP_MS).unref();
  return {
    create: (input) => store.create(input),
    findBySource: (owner, source) => store.findBySource(owner, source),
    get: (owner, id) => store.get(owner, id),
    readSlice: (owner, id, offset, limit) => store.readSlice(owner, id, offset, limit),
    delete: (owner, id) => store.delete(owner, id),
    list: (owner, page) => store.list(owner, page),
    sweep: () => store.sweep(),
    async close() {
      clearInterval(timer);
      await store.close();
    },
  };
}

function openStore(database: Database, { limits, now = Date.now }: HandleStoreOptions): Promise<HandleStore> {
  const bounds = boundsOf(limits);
  return database.openStore<HandleStore>({
    memory: async (access) => new MemoryHandleStore(access, bounds, now),
    sqlite: async (access) => {
      const { openSqliteStore } = await import("../sqlite-store/store.js");
      return openSqliteStore(access, { bounds, now, compressAfterMs: COMPRESS_AFTER_MS });
    },
  });
}
