import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Driver, NativeConnection, NativeStatement } from "./driver.js";

/** better-sqlite3, if its binary loads on this Node. Throws with the reason if not. */
export async function loadBetterSqlite(): Promise<Driver> {
  const { version, folder } = installed();
  refuseCrash(version, process.versions.node);
  refuseFinalizers(folder, process.versions.node);
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

// Headers from Node 24.19 on make each object of version 12 take back a hook when it is collected, and Node aborts when
// that happens outside of JavaScript: a process dies at some garbage collection. The binary tells by what it imports;
// those of Node 20 never do, and there is nothing to turn to there.
const HOOK = "RemoveEnvironmentCleanupHook";

/** A binary whose statements end the process when they are collected. Throws with the reason. */
export function refuseFinalizers(folder: string, node: string): void {
  const [nodeMajor = 0] = numbers(node);
  if (nodeMajor < 22) return;
  const binary = readIfThere(join(folder, "build/Release/better_sqlite3.node"));
  if (binary === undefined || !binary.includes(HOOK)) return;
  throw new Error(`better-sqlite3 as it was built for this Node (${node}) aborts the process at a garbage collection`);
}

// Where it lies elsewhere, or nowhere, loading it tells.
function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function numbers(version: string): number[] {
  return version.split(".").map((part) => Number.parseInt(part, 10));
}

function installed(): { version: string; folder: string } {
  // Read beside its entry point: a package's own exports may hide its package.json.
  const entry = createRequire(import.meta.url).resolve("better-sqlite3");
  const folder = join(dirname(entry), "..");
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
  return { version, folder };
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
