import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase, type Database, type DriverKind } from "@llmc/handles";
import { expect, onTestFinished } from "vitest";
import { tempDir } from "./fixture.js";

const KINDS = ["better-sqlite3", "node:sqlite", "memory"] as const;

/** Every kind of database that this Node can open; the others are named, so that nobody takes them for tested. */
export const DRIVERS: readonly DriverKind[] = (await Promise.all(KINDS.map(loads))).flat();

async function loads(driver: DriverKind): Promise<DriverKind[]> {
  const dir = mkdtempSync(join(tmpdir(), "llmc-audit-"));
  try {
    const database = await openDatabase({ dataDir: dir, driver, warn: () => {} });
    await database.close();
    return [driver];
  } catch (thrown) {
    console.warn(`Not tested here: ${(thrown as Error).message}`);
    return [];
  } finally {
    rmSync(dir, { recursive: true });
  }
}

export async function openDriver(driver: DriverKind, dir = tempDir()): Promise<Database> {
  const database = await openDatabase({ dataDir: dir, driver, warn: (message) => expect.unreachable(message) });
  onTestFinished(() => database.close());
  return database;
}
