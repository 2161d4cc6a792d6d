import { statSync } from "node:fs";
import { identityOf, moveAside, prepareFolder, preparePrivateFile } from "./data-file.js";
import type { Driver, NativeConnection } from "../driver/driver.js";
import { CorruptFileError, failureOf } from "./failure.js";

export interface SqliteFileOptions {
  readonly driver: Driver;
  readonly dir: string;
  readonly file: string;
  readonly warn: (message: string) => void;
  readonly busyTimeoutMs: number;
}

export interface OpenFile {
  readonly native: NativeConnection;
  readonly identity: string | null;
}

/** Opens the database, making it if it is missing. A corrupt file is set aside, and a fresh one opened. */
export function openFile(options: SqliteFileOptions): OpenFile {
  prepareFolder(options.dir, options.warn);
  preparePrivateFile(options.file);
  const identity = identityOf(options.file);
  try {
    return { native: connect(options), identity };
  } catch (thrown) {
    if (failureOf(thrown) !== "corrupt") throw thrown;
    setAside(options, identity, thrown);
  }
  preparePrivateFile(options.file);
  return { native: connect(options), identity: identityOf(options.file) };
}

/**
 * Renames the corrupt file, once: of several processes that found it so, the first renames it and the others see that
 * another file lies there by now. The lock is SQLite's own, because the kernel frees it when its holder dies.
 */
export function setAside(options: SqliteFileOptions, corrupt: string | null, reason: unknown): void {
  const { driver, file, warn, busyTimeoutMs } = options;
  const lock = `${file}.repair`;
  preparePrivateFile(lock);
  const guard = driver.open(lock);
  try {
    guard.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    guard.exec("BEGIN EXCLUSIVE");
    if (corrupt === null || identityOf(file) !== corrupt) {
      warn(`The database ${file} was corrupt, and another server has set it aside. A fresh one serves.`);
      return;
    }
    const aside = moveAside(file, new Date());
    warn(`The database ${file} is corrupt (${(reason as Error).message}). It is kept as ${aside}; a fresh one serves.`);
  } finally {
    guard.close();
  }
}

const SETTINGS = [
  // Payloads are blobs of up to 64 KiB: large pages store and find them three times as fast as the usual 4 KiB.
  "page_size = 16384",
  "journal_mode = WAL",
  // A killed process loses nothing with this; a power cut may lose the last commits, never the file.
  "synchronous = NORMAL",
  "foreign_keys = ON",
  "cache_size = -4096",
  // In pages: 8 MiB. A checkpoint waits for the disk, so it is not wanted at every second payload.
  "wal_autocheckpoint = 512",
  "journal_size_limit = 16777216",
  "trusted_schema = OFF",
];

function connect({ driver, file, busyTimeoutMs }: SqliteFileOptions): NativeConnection {
  const native = driver.open(file);
  try {
    native.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    for (const setting of SETTINGS) native.exec(`PRAGMA ${setting}`);
    check(native, statSync(file).size);
    preparePrivateFile(file);
    return native;
  } catch (thrown) {
    native.close();
    throw thrown;
  }
}

const CHECKED_WHOLE = 4 * 1024 * 1024;

// A whole check reads every page. Of a large file only the schema and each table's first row are looked at: what is
// wrong elsewhere shows when it is used.
function check(native: NativeConnection, bytes: number): void {
  if (bytes <= CHECKED_WHOLE) {
    const [verdict] = native.prepare("PRAGMA quick_check(1)", true).get() as [string];
    if (verdict !== "ok") throw new CorruptFileError(verdict.replaceAll("\n", " "));
    return;
  }
  const tables = native.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'", true).all() as [string][];
  for (const [name] of tables) native.prepare(`SELECT 1 FROM "${name.replaceAll('"', '""')}" LIMIT 1`, true).get();
}
