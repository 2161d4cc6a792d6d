import { statSync } from "node:fs";
import type { KernelFiles, MeasuredProcess } from "@llmc/procfs";

/** Space that deleted files still take, because a program holds them open. */
export interface HeldOpen {
  readonly bytes: number;
  readonly files: number;
  /** Who holds most of it. */
  readonly pid: number;
  readonly comm: string;
}

export interface HeldSources {
  readonly files: KernelFiles;
  readonly procRoot: string;
  readonly processes: readonly MeasuredProcess[];
  /** Where a look at a file may never come back. */
  readonly remotePoints: readonly string[];
  readonly signal: AbortSignal | undefined;
}

const DELETED = " (deleted)";
const MAX_OPEN = 50_000;
const SLICE_MS = 4;
const BLOCK = 512;

/** By device, as major:minor. Only what this user may look into is found. */
export async function heldOpen({
  files,
  procRoot,
  processes,
  remotePoints,
  signal,
}: HeldSources): Promise<ReadonlyMap<string, HeldOpen>> {
  const found = new Map<string, HeldOpen & { most: number }>();
  const seen = new Set<string>();
  let [looked, end] = [0, performance.now() + SLICE_MS];
  for (const { pid, comm, isKernelThread } of processes) {
    if (isKernelThread) continue;
    let own = 0;
    for (const fd of files.names(`${procRoot}/${pid}/fd`) ?? []) {
      if ((looked += 1) > MAX_OPEN) return found;
      const path = files.link(`${procRoot}/${pid}/fd/${fd}`);
      if (path?.endsWith(DELETED) !== true || !path.startsWith("/") || isBelow(path, remotePoints)) continue;
      const file = look(`${procRoot}/${pid}/fd/${fd}`);
      if (file === undefined || seen.has(file.key)) continue;
      seen.add(file.key);
      own += file.bytes;
      const before = found.get(file.device) ?? { bytes: 0, files: 0, pid, comm, most: 0 };
      const isMost = own > before.most;
      found.set(file.device, {
        bytes: before.bytes + file.bytes,
        files: before.files + 1,
        pid: isMost ? pid : before.pid,
        comm: isMost ? comm : before.comm,
        most: Math.max(own, before.most),
      });
    }
    if (performance.now() < end) continue;
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    end = performance.now() + SLICE_MS;
  }
  return found;
}

function isBelow(path: string, points: readonly string[]): boolean {
  return points.some((point) => path === point || path.startsWith(point.endsWith("/") ? point : `${point}/`));
}

function look(path: string): { device: string; key: string; bytes: number } | undefined {
  try {
    const { dev, ino, blocks } = statSync(path, { bigint: true });
    const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
    const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn);
    return { device: `${major}:${minor}`, key: `${dev}:${ino}`, bytes: Number(blocks) * BLOCK };
  } catch {
    // Closed since, or not ours to look at.
    return undefined;
  }
}
