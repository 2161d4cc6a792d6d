import { openDatabase } from "@llmc/handles";

type Row = Readonly<Record<string, unknown>>;

/** The rows of telemetry in a data dir, oldest first; the server that wrote them was closed. */
export async function telemetryRows(dataDir: string): Promise<readonly Row[]> {
  const database = await openDatabase({ dataDir, warn: () => {} });
  try {
    return await database.openStore<readonly Row[]>({
      memory: () => Promise.reject(new Error("a database in memory has no rows of before")),
      sqlite: async ({ orm }) => (orm as { all(query: string): Row[] }).all("SELECT * FROM te_calls ORDER BY id"),
    });
  } finally {
    await database.close();
  }
}
