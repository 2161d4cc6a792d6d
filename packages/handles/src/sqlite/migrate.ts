import { EngineUnavailableError } from "@llmc/errors";
import type { Connection } from "./connection.js";

export type Steps = readonly (readonly string[])[];

const VERSIONS =
  "CREATE TABLE IF NOT EXISTS schema_versions (module TEXT PRIMARY KEY NOT NULL, version INTEGER NOT NULL)";

/** All missing steps in one transaction; of two processes at once the second finds the work done. */
export function migrate(connection: Connection, file: string, module: string, work: Steps): void {
  if (versionOf(connection, module) === work.length) return;
  connection
    .transaction(() => {
      connection.exec(VERSIONS);
      const version = versionOf(connection, module) ?? 0;
      if (version > work.length) throw newer(file, module, version, work.length);
      for (const statement of work.slice(version).flat()) connection.exec(statement);
      connection.prepare("INSERT OR REPLACE INTO schema_versions VALUES (?, ?)").run(module, work.length);
    })
    .immediate();
}

function versionOf(connection: Connection, module: string): number | null {
  const known = connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_versions'");
  if (known.get() === undefined) return null;
  const row = connection.prepare("SELECT version FROM schema_versions WHERE module = ?").raw().get(module);
  return row === undefined ? null : (row as [number])[0];
}

function newer(file: string, module: string, version: number, known: number): EngineUnavailableError {
  return new EngineUnavailableError(
    `The database ${file}`,
    `a newer version of this program wrote it (${module} is at ${version}, this one knows ${known})`,
    `Run the newer program, or move ${file} away.`,
  );
}
