import type { Settings } from "@llmc/config";
import { createHandleStore, openDatabase, type Database, type HandleStore } from "@llmc/handles";
import { createLineIndexCache, type LineIndexCache } from "@llmc/te-fs";
import { lazily } from "../context/lazily.js";

const INDEXED_FILES = 256;

/** What outlives a call: the database and the stores on it, opened at first need so that a start stays quick. */
export interface State {
  readonly lineIndex: LineIndexCache;
  readonly database: () => Promise<Database>;
  readonly handles: () => Promise<HandleStore>;
  close(): Promise<void>;
}

export function openState({ mcp, dataDir }: Settings, warn: (message: string) => void): State {
  const persistent = mcp.docker.persist_telemetry ? dataDir : null;
  const database = lazily(() => openDatabase({ dataDir: persistent, warn }));
  const handles = lazily(async () =>
    createHandleStore(await database(), {
      limits: {
        maxTotalBytes: mcp.handles.max_total_bytes,
        maxPayloadBytes: mcp.handles.max_payload_bytes,
        maxAgeHours: mcp.handles.max_age_hours,
      },
    }),
  );

  return {
    lineIndex: createLineIndexCache({ maxFiles: INDEXED_FILES }),
    database,
    handles,
    close: async () => {
      await (await handles.opened())?.close();
      await (await database.opened())?.close();
    },
  };
}
