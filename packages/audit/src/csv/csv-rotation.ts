import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";

const DAY_MS = 86_400_000;
const STALE_LOCK_MS = 60_000;

/**
 * At the first write of a day (UTC) the file is renamed after the day of its last line, `token_audit.2026-01-31.csv`,
 * and files from more than `days` days ago are deleted. Of several processes one does it, the others write on.
 */
export function rotate(path: string, days: number, now = Date.now()): void {
  if (!isOfEarlierDay(path, now)) return;
  const lock = `${path}.rotating`;
  if (!take(lock, now)) return;
  try {
    // Somebody else may have done it between the first look and the lock.
    if (isOfEarlierDay(path, now)) renameSync(path, freeName(path, lstatSync(path).mtimeMs));
    prune(path, dayOf(now - days * DAY_MS));
  } finally {
    rmdirSync(lock);
  }
}

function isOfEarlierDay(path: string, now: number): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && stat.isFile() && stat.size > 0 && dayOf(stat.mtimeMs) < dayOf(now);
}

function take(lock: string, now: number): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
  }
  // It is held for microseconds: an old one was left by a process that died with it. The next write takes it.
  const stat = lstatSync(lock, { throwIfNoEntry: false });
  if (stat !== undefined && now - stat.mtimeMs > STALE_LOCK_MS) removeLock(lock);
  return false;
}

function removeLock(lock: string): void {
  try {
    rmdirSync(lock);
  } catch {
    // Another process was as quick.
  }
}

function freeName(path: string, mtimeMs: number): string {
  const { folder, stem, extension } = partsOf(path);
  for (let number = 0; ; number += 1) {
    const suffix = number === 0 ? "" : `.${number}`;
    const name = join(folder, `${stem}.${dayOf(mtimeMs)}${suffix}${extension}`);
    if (lstatSync(name, { throwIfNoEntry: false }) === undefined) return name;
  }
}

function prune(path: string, oldest: string): void {
  const { folder, stem, extension } = partsOf(path);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${stem}.`) || !name.endsWith(extension)) continue;
    const day = /^(\d{4}-\d\d-\d\d)(?:\.\d+)?$/.exec(name.slice(stem.length + 1, name.length - extension.length))?.[1];
    if (day !== undefined && day < oldest) unlinkSync(join(folder, name));
  }
}

function partsOf(path: string) {
  const extension = extname(path);
  return { folder: dirname(path), stem: basename(path, extension), extension };
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
