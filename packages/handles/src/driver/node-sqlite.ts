import { createRequire } from "node:module";
import type { Driver, NativeConnection, NativeStatement, RunResult } from "./driver.js";

// The part of node:sqlite that is used here; the types of Node 20 do not know the module.
interface StatementSync {
  run(...params: unknown[]): RunResult;
  all(...params: unknown[]): Row[];
  get(...params: unknown[]): Row | undefined;
  /** Since Node 22.16 and 24. */
  setReturnArrays?(enabled: boolean): void;
}

type Row = Record<string, unknown> | unknown[];

interface DatabaseSync {
  exec(sql: string): void;
  prepare(sql: string): StatementSync;
  close(): void;
}

interface NodeSqlite {
  readonly DatabaseSync: new (file: string) => DatabaseSync;
}

/** The SQLite inside Node 22.13 and newer. Throws with the reason if this Node has none. */
export async function loadNodeSqlite(): Promise<Driver> {
  const { DatabaseSync: Client } = withoutWarning(
    // Not an import: that would be asynchronous, and the warning of others has to pass.
    () => createRequire(import.meta.url)("node:sqlite") as NodeSqlite,
  );
  return { kind: "node:sqlite", open: (file) => adapt(new Client(file)) };
}

/** Node 22 announces its SQLite as experimental on stderr, once, while the module loads. */
export function withoutWarning<T>(load: () => T): T {
  const emitWarning = process.emitWarning;
  process.emitWarning = (...args: unknown[]) => {
    if (args[1] === "ExperimentalWarning" && String(args[0]).startsWith("SQLite ")) return;
    Reflect.apply(emitWarning, process, args);
  };
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function adapt(client: DatabaseSync): NativeConnection {
  return {
    exec: (sql) => client.exec(sql),
    prepare(sql, arrays): NativeStatement {
      const statement = client.prepare(sql);
      if (arrays) statement.setReturnArrays?.(true);
      const row = arrays ? toArray : toRecord;
      return {
        run: (...params) => statement.run(...params.map(toParam)),
        all: (...params) => statement.all(...params.map(toParam)).map(row),
        get(...params) {
          const found = statement.get(...params.map(toParam));
          return found === undefined ? undefined : row(found);
        },
      };
    },
    close: () => client.close(),
  };
}

// Node 22 binds NULL for an empty array whose memory is nowhere; one inside a larger buffer has an address.
const EMPTY = Buffer.alloc(1).subarray(1);

function toParam(value: unknown): unknown {
  return value instanceof Uint8Array && value.length === 0 ? EMPTY : value;
}

function toArray(row: Row): unknown[] {
  return (Array.isArray(row) ? row : Object.values(row)).map(toBuffer);
}

function toRecord(row: Row): unknown {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toBuffer(value)]));
}

// As better-sqlite3 gives it, and without a copy.
function toBuffer(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}
