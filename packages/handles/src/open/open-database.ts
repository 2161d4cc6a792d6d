import { join } from "node:path";
import type { Database, DatabaseOptions } from "../database/database.js";
import { loadDriver, requireDriver, type DriverProblem } from "../driver/load-driver.js";

const FILE_NAME = "linuxops.db";

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { dataDir, driver: wanted, warn, busyTimeoutMs = 20, retryMs = 5000 } = options;
  if (dataDir === null || wanted === "memory") return memoryDatabase();
  const driver = wanted === undefined ? await loadDriver() : await requireDriver(wanted);
  if (!("kind" in driver)) {
    warn(memoryWarning(driver));
    return memoryDatabase();
  }
  const { openSqlite } = await import("../sqlite/database.js");
  return openSqlite({ driver, dir: dataDir, file: join(dataDir, FILE_NAME), warn, busyTimeoutMs, retryMs });
}

async function memoryDatabase(): Promise<Database> {
  const { MemoryDatabase } = await import("../memory/database.js");
  return new MemoryDatabase();
}

function memoryWarning(problems: readonly DriverProblem[]): string {
  const reasons = problems.map(({ kind, problem }) => `${kind}: ${problem}`).join("; ");
  return (
    "No SQLite driver loads here, so handles and call records are kept in memory: they are lost when the server ends, " +
    "and no other server sees them. Use Node 22.13 or newer, or install better-sqlite3 with its build script allowed " +
    `(npm rebuild better-sqlite3). ${reasons}`
  );
}
