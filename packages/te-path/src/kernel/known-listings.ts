import { statfsSync, type Stats } from "node:fs";
import type { Listed } from "./listing.js";
import { bytesOf } from "./lstat-many.js";

/** What a folder held when it was listed. That counts as long as its time stamp says that nothing in it has changed. */
interface Known {
  readonly dev: number;
  readonly changedMs: number;
  readonly names: readonly Listed[];
}

/** Names of all folders together, and the folders themselves: some megabytes. */
const MOST_KEPT = 50_000;
/** What changes within one tick of the kernel's clock has one time stamp: only what is older tells of every change. */
export const SETTLED_MS = 2000;

/**
 * File systems of which it is known that a folder's change time tells of every name that comes or goes, and that nobody
 * can set it: ext2 to 4, XFS, Btrfs, tmpfs, overlayfs, F2FS, ZFS, bcachefs.
 */
const KEEP_TIME: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1, 0xca451a4e,
]);

/** By inode number, those that were asked for last at the end. */
const known = new Map<number, Known>();
let total = 0;

/** `stat` is of the folder as it is now. */
export function knownListing({ dev, ino, ctimeMs }: Stats): readonly Listed[] | undefined {
  const one = known.get(ino);
  if (one === undefined || one.dev !== dev || one.changedMs !== ctimeMs) return undefined;
  known.delete(ino);
  known.set(ino, one);
  return one.names;
}

/** `stat` was asked for before the names were read, of the folder that `path` leads to. */
export function keepListing(path: string, stat: Stats, names: readonly Listed[]): void {
  if (Date.now() - stat.ctimeMs < SETTLED_MS || weightOf(names) > MOST_KEPT || !timeTells(path)) return;
  forget(stat.ino);
  known.set(stat.ino, { dev: stat.dev, changedMs: stat.ctimeMs, names });
  total += weightOf(names);
  for (const ino of known.keys()) {
    if (total <= MOST_KEPT) return;
    forget(ino);
  }
}

function forget(ino: number): void {
  const one = known.get(ino);
  if (one === undefined) return;
  total -= weightOf(one.names);
  known.delete(ino);
}

function weightOf(names: readonly Listed[]): number {
  return names.length + 1;
}

/** Whether a folder's change time there tells of every name that comes or goes. */
export function timeTells(path: string): boolean {
  try {
    return KEEP_TIME.has(statfsSync(bytesOf(path)).type);
  } catch {
    return false;
  }
}
