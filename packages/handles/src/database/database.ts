import { EngineUnavailableError } from "@llmc/errors";
import type { Backends } from "./backends.js";

export type SqliteKind = "better-sqlite3" | "node:sqlite";
export type DriverKind = SqliteKind | "memory";

export interface DatabaseOptions {
  /** Where `linuxops.db` lies. Null keeps everything in memory, as the caller asked: no warning. */
  readonly dataDir: string | null;
  /** Forces a driver; the choice is the server's otherwise. */
  readonly driver?: DriverKind | undefined;
  readonly warn: (message: string) => void;
  /** How long SQLite itself waits for a lock, with the event loop blocked. */
  readonly busyTimeoutMs?: number | undefined;
  /** How long a call waits for a lock altogether. */
  readonly retryMs?: number | undefined;
}

/** The database of the whole server. Several packages keep their own data in it, each through a store of its own. */
export interface Database {
  readonly kind: DriverKind;
  /** Opens a store with the backend for this kind of database. */
  openStore<Store>(backends: Backends<Store>): Promise<Store>;
  close(): Promise<void>;
}

export function closedError(): EngineUnavailableError {
  return new EngineUnavailableError("The server's database", "it was closed", "Start the server again.");
}
