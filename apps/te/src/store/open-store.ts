import { loadConfig, type Settings } from "@llmc/config";
import { EngineUnavailableError } from "@llmc/errors";
import { createHandleStore, openDatabase, type HandleStore } from "@llmc/handles";
import type { Places } from "../command-line/asked.js";

export interface OpenStore {
  readonly settings: Settings;
  readonly store: HandleStore;
  close(): Promise<void>;
}

/** Opens the handles of the servers that this user starts. Throws if no handle would outlive this process. */
export async function openStore({ config, dataDir }: Places): Promise<OpenStore> {
  const settings = await loadConfig({ file: config, dataDir });
  const { docker, handles } = settings.mcp;
  const persistent = docker.persist_telemetry ? settings.dataDir : null;
  const problems: string[] = [];
  const database = await openDatabase({ dataDir: persistent, warn: (text) => void problems.push(text) });
  if (database.kind === "memory") {
    const why = problems[0] ?? "mcp.docker.persist_telemetry is false";
    throw new EngineUnavailableError("The database of handles", why, "Other programs of yours cannot read a handle.");
  }
  const store = await createHandleStore(database, {
    limits: {
      maxTotalBytes: handles.max_total_bytes,
      maxPayloadBytes: handles.max_payload_bytes,
      maxAgeHours: handles.max_age_hours,
    },
  });
  return {
    settings,
    store,
    close: async () => {
      await store.close();
      await database.close();
    },
  };
}
