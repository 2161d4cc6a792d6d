import { statfsSync } from "node:fs";

/** How full a file system is. */
export interface Space {
  readonly totalBytes: number;
  readonly usedBytes: number;
  /** For everybody but root, who may use what is reserved as well. */
  readonly availableBytes: number;
  /** Null where the file system makes inodes as it goes. */
  readonly inodes: { readonly total: number; readonly used: number } | null;
}

/** How to ask for it; another one stands in for the kernel in tests of recorded machines. */
export type StatFs = (point: string) => Space | undefined;

/** Only for local file systems: one that lies elsewhere may never answer, and we would wait with it. */
export const localSpace: StatFs = (point) => {
  try {
    const { bsize, blocks, bfree, bavail, files, ffree } = statfsSync(point);
    return spaceOf({ block: bsize, blocks, free: bfree, available: bavail, inodes: files, freeInodes: ffree });
  } catch {
    // Gone since the table was read, or behind a folder that we may not enter.
    return undefined;
  }
};

export interface Counts {
  readonly block: number;
  readonly blocks: number;
  readonly free: number;
  readonly available: number;
  readonly inodes: number;
  readonly freeInodes: number;
}

export function spaceOf({ block, blocks, free, available, inodes, freeInodes }: Counts): Space | undefined {
  if (blocks === 0) return undefined;
  return {
    totalBytes: blocks * block,
    usedBytes: (blocks - free) * block,
    availableBytes: Math.max(0, available) * block,
    inodes: inodes === 0 ? null : { total: inodes, used: inodes - freeInodes },
  };
}

/** As df has it: of what there is to use, which is less than all where some is kept for root. */
export function usedPercent({ usedBytes, availableBytes }: Space): number {
  const usable = usedBytes + availableBytes;
  return usable === 0 ? 100 : (100 * usedBytes) / usable;
}

export function inodesPercent({ inodes }: Space): number | null {
  return inodes === null ? null : (100 * inodes.used) / inodes.total;
}
