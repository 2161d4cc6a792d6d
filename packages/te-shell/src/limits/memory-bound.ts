import { readFileSync } from "node:fs";

const MIB = 1024 * 1024;
const KIB = 1024;
/** Of what is free: we and everybody else live on the rest. */
const SHARE = 0.75;

/** What a command may use, in bytes: as the operator wrote it, else most of what is free now. */
export function memoryBound(maxMemoryMb: number): number {
  if (maxMemoryMb > 0) return maxMemoryMb * MIB;
  const text = memoryText();
  const available = Number(/^MemAvailable:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * KIB;
  return Math.max(64 * MIB, Math.floor(available * SHARE));
}

/** From the kernel's memory, in microseconds. */
function memoryText(): string {
  try {
    return readFileSync("/proc/meminfo", "latin1");
  } catch {
    return "";
  }
}
