import type { ImageHeader } from "./header.js";

const HEADER = 13;
const EXTENSION = 0x21;
const FRAME = 0x2c;

export function parseGif(bytes: Buffer): ImageHeader | null {
  if (bytes.length < HEADER) return null;
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  if (width === 0 || height === 0) return null;
  return { width, height, complete: hasFrame(bytes) };
}

/** Accepts one whole frame, because decoders do not need the end mark. */
function hasFrame(bytes: Buffer): boolean {
  let at = HEADER + colours(bytes[10]);
  while (bytes[at] === EXTENSION) at = behindBlocks(bytes, at + 2);
  if (bytes[at] !== FRAME || at + 11 > bytes.length) return false;
  const data = at + 10 + colours(bytes[at + 9]) + 1;
  const end = behindBlocks(bytes, data);
  return end > data + 1 && end <= bytes.length;
}

function colours(flags = 0): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

/** Returns the end of a row of blocks that begin with their length, or infinity if the file ends first. */
function behindBlocks(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length;) {
    const length = bytes[at] ?? 0;
    at += 1 + length;
    if (length === 0) return at;
  }
  return Number.POSITIVE_INFINITY;
}
