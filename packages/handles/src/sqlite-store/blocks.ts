import { promisify } from "node:util";
import { deflateRaw, inflateRaw, inflateRawSync } from "node:zlib";
import type { Encoding } from "./schema.js";

/** A slice inflates only the blocks it touches, so a block is the price of the smallest read. */
export const BLOCK_BYTES = 64 * 1024;

export interface Block {
  readonly encoding: Encoding;
  readonly data: Buffer;
}

const deflate = promisify(deflateRaw) as (data: Buffer, options: { level: number }) => Promise<Buffer>;
const inflate = promisify(inflateRaw) as (data: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

// Above this the time doubles for a few percent.
const LEVEL = 3;
const WORTH_IT = 0.85;
const AT_ONCE = 2;
const ONE_BLOCK = { maxOutputLength: BLOCK_BYTES };

/** The payload in blocks, without a copy; one empty block for an empty payload. */
export function split(payload: Uint8Array): [Buffer, ...Buffer[]] {
  const whole = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  const rest: Buffer[] = [];
  for (let at = BLOCK_BYTES; at < whole.length; at += BLOCK_BYTES) rest.push(whole.subarray(at, at + BLOCK_BYTES));
  return [whole.subarray(0, BLOCK_BYTES), ...rest];
}

/** The numbers of the first and the last block that hold bytes of the slice. */
export function blocksOf(offset: number, end: number): { first: number; last: number } {
  return { first: Math.floor(offset / BLOCK_BYTES), last: Math.floor((end - 1) / BLOCK_BYTES) };
}

/** On zlib's threads; null when it does not pay. */
export async function compress(data: Buffer): Promise<Buffer | null> {
  const packed = await deflate(data, { level: LEVEL });
  return packed.length <= data.length * WORTH_IT ? packed : null;
}

export async function unpack(blocks: readonly Block[]): Promise<Buffer[]> {
  // A tenth of a millisecond each: the way to another thread and back takes longer, and far longer on a busy machine.
  if (blocks.length <= AT_ONCE) return blocks.map(unpackNow);
  return Promise.all(blocks.map(async ({ encoding, data }) => (encoding === "raw" ? data : inflate(data, ONE_BLOCK))));
}

function unpackNow({ encoding, data }: Block): Buffer {
  return encoding === "raw" ? data : inflateRawSync(data, ONE_BLOCK);
}
