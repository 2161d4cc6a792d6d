import { readFile } from "node:fs/promises";

const MIB = 1024 * 1024;
const KIB = 1024;
/** Of what is free: we and everybody else live on the rest. */
const SHARE = 0.75;

/** What a command may use, in bytes: as the operator wrote it, else most of what is free now. */
export async function memoryBound(maxMemoryMb: number): Promise<number> {
  if (maxMemoryMb > 0) return maxMemoryMb * MIB;
  const text = await readFile("/proc/meminfo", "latin1").catch(() => "");
  const available = Number(/^MemAvailable:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * KIB;
  return Math.max(64 * MIB, Math.floor(available * SHARE));
}
