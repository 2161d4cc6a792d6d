import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Driver, NativeConnection, NativeStatement } from "./driver.js";

/** better-sqlite3, if its binary loads on this Node. Throws with the reason if not. */
export async function loadBetterSqlite(): Promise<Driver> {
  refuseCrash(installedVersion(), process.versions.node);
  const { default: Client } = await import("better-sqlite3");
  // The JavaScript part always loads; a missing or foreign binary shows only when a database is opened.
  new Client(":memory:").close();
  return { kind: "better-sqlite3", open: (file) => adapt(new Client(file)) };
}

/** Version 13 needs Node-API 10; on an older Node it ends the process by SIGSEGV instead of throwing. */
export function refuseCrash(version: string, node: string): void {
  const [major = 0] = numbers(version);
  if (major < 13) return;
  const [nodeMajor = 0, nodeMinor = 0] = numbers(node);
  if (nodeMajor > 22 || (nodeMajor === 22 && nodeMinor >= 14)) return;
  throw new Error(`better-sqlite3 ${version} needs Node 22.14 or newer, this is ${node}`);
}

function numbers(version: string): number[] {
  return version.split(".").map((part) => Number.parseInt(part, 10));
}

function installedVersion(): string {
  // Read beside its entry point: a package's own exports may hide its package.json.
  const entry = createRequire(import.meta.url).resolve("better-sqlite3");
  const manifest: unknown = JSON.parse(readFileSync(join(dirname(entry), "..", "package.json"), "utf8"));
  return (manifest as { version: string }).version;
}

type Client = import("better-sqlite3").Database;

function adapt(client: Client): NativeConnection {
  return {
    exec: (sql) => void client.exec(sql),
    prepare(sql, arrays): NativeStatement {
      const statement = client.prepare(sql);
      return arrays ? statement.raw(true) : statement;
    },
    close: () => void client.close(),
  };
}
