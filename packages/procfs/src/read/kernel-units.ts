import { readFileSync } from "node:fs";

const AT_PAGESZ = 6n;
const AT_CLKTCK = 17n;

export interface KernelUnits {
  readonly pageBytes: number;
  readonly ticksPerSecond: number;
}

/** What the kernel counts in, as it told this process at its start. */
export function kernelUnits(auxv: string): KernelUnits {
  const told = readVector(auxv);
  return {
    pageBytes: Number(told.get(AT_PAGESZ) ?? 4096n),
    ticksPerSecond: Number(told.get(AT_CLKTCK) ?? 100n),
  };
}

function readVector(auxv: string): ReadonlyMap<bigint, bigint> {
  const told = new Map<bigint, bigint>();
  try {
    const bytes = readFileSync(auxv);
    for (let at = 0; at + 16 <= bytes.length; at += 16)
      told.set(bytes.readBigUInt64LE(at), bytes.readBigUInt64LE(at + 8));
  } catch {
    // Not there in a tree that only looks like /proc.
  }
  return told;
}
