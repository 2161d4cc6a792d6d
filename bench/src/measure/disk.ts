import { existsSync, statfsSync } from "node:fs";

// Of linux/magic.h: tmpfs and ramfs.
const MEMORY: readonly number[] = [0x0102_1994, 0x8584_58f6];

/** Whether what is written there never gets to a disk, so that an fsync has nothing to wait for. */
export function isInMemory(folder: string): boolean {
  return MEMORY.includes(statfsSync(folder).type);
}

/** The first of the folders that lies on a disk; where none does, the first. */
export function onDisk(folders: readonly [string, ...string[]]): string {
  return folders.find((folder) => existsSync(folder) && !isInMemory(folder)) ?? folders[0];
}
