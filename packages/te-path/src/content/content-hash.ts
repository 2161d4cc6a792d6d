import { createHash, hash, type Hash } from "node:crypto";
import { fill, fstat, type Descriptor, type Stat, type Work } from "../kernel/syscalls.js";

/** The content of a file by which it is known again. */
export interface ContentMark {
  readonly sha256: string;
  readonly size: number;
}

const CHUNK = 1024 * 1024;
const KEPT = 64;

/** The sum of a file's first `size` bytes, ready to take more. */
export function* hashOf(file: Descriptor, size: number): Work<Hash> {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(1, size)));
  for (let at = 0; at < size;) {
    const count = yield* fill(file, chunk.subarray(0, Math.min(chunk.length, size - at)), at);
    if (count === 0) break;
    hash.update(chunk.subarray(0, count));
    at += count;
  }
  return hash;
}

/** The sum of all that the file has now. */
export function* sha256Of(file: Descriptor): Work<string> {
  const { size } = yield* fstat(file);
  return (yield* hashOf(file, Number(size))).digest("hex");
}

/** Sums of files that are written to again and again, so that an append to a long log does not read all of it. */
export class HashCache {
  readonly #kept = new Map<string, Hash>();

  /** The running sum of the file in this state; the caller's own copy. */
  get(stat: Stat): Hash | undefined {
    return this.#kept.get(keyOf(stat))?.copy();
  }

  set(stat: Stat, hash: Hash): void {
    this.#kept.set(keyOf(stat), hash);
    if (this.#kept.size <= KEPT) return;
    const [oldest = ""] = this.#kept.keys();
    this.#kept.delete(oldest);
  }
}

function keyOf({ dev, ino, size, mtimeNs, ctimeNs }: Stat): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

export function sha256OfBytes(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}
