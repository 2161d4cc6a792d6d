import { randomBytes } from "node:crypto";

const BATCH = 1024;
// A trip to the kernel costs more than all else that a name takes.
let batch = Buffer.alloc(0);

/** So many bytes that nobody can guess, for a name. */
export function someRandom(count: number): Buffer {
  if (batch.length < count) batch = randomBytes(BATCH);
  const bytes = batch.subarray(0, count);
  batch = batch.subarray(count);
  return bytes;
}
