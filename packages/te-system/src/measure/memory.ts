import type { Machine } from "@llmc/procfs";

export interface MemoryUse {
  readonly totalBytes: number;
  /** What programs can still get, without swapping: free, and what the kernel gives back. */
  readonly availableBytes: number;
  /** Total without available. */
  readonly usedBytes: number;
  /** Holds nothing at all. A healthy box has little of it. */
  readonly freeBytes: number;
  readonly swapTotalBytes: number;
  readonly swapUsedBytes: number;
}

/** Null where the kernel does not tell. */
export function memoryOf(machine: Machine): MemoryUse | null {
  const told = machine.meminfo();
  const total = told?.get("MemTotal");
  const free = told?.get("MemFree");
  if (told === null || total === undefined || free === undefined) return null;
  const of = (key: string): number => told.get(key) ?? 0;
  // Kernels before 3.14 do not estimate it: then as `free` of that time did.
  const available = told.get("MemAvailable") ?? free + of("Buffers") + of("Cached") + of("SReclaimable") - of("Shmem");
  const availableBytes = Math.min(total, Math.max(0, available));
  return {
    totalBytes: total,
    availableBytes,
    usedBytes: total - availableBytes,
    freeBytes: free,
    swapTotalBytes: of("SwapTotal"),
    swapUsedBytes: Math.max(0, of("SwapTotal") - of("SwapFree")),
  };
}
