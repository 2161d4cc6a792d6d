import { estimateTokens } from "@llmc/toolkit";

const CHUNK_TOKENS = 4000;
const CHUNK_BYTES = 16_000;
const LEAST_BYTES = 64;
const NEWLINE = 0x0a;

/** Cuts a payload into pieces of at most 4,000 tokens; put together they are the payload. */
export function* chunksOf(payload: Buffer): Generator<Buffer> {
  for (let at = 0; at < payload.length;) {
    const chunk = firstChunk(payload.subarray(at));
    yield chunk;
    at += chunk.length;
  }
}

function firstChunk(rest: Buffer): Buffer {
  for (let size = CHUNK_BYTES; ;) {
    const chunk = rest.subarray(0, endBefore(rest, size));
    const tokens = estimateTokens(chunk.toString());
    if (tokens <= CHUNK_TOKENS || size === LEAST_BYTES) return chunk;
    size = Math.max(LEAST_BYTES, Math.floor(size * Math.min(0.9, CHUNK_TOKENS / tokens)));
  }
}

/** Ends a chunk behind a line if a line ends in its second half, else between two characters. */
function endBefore(rest: Buffer, size: number): number {
  if (size >= rest.length) return rest.length;
  const line = rest.lastIndexOf(NEWLINE, size - 1) + 1;
  if (line > size / 2) return line;
  let end = size;
  // A continuation byte of UTF-8 begins with the bits 10.
  while (end > size - 4 && ((rest[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}
