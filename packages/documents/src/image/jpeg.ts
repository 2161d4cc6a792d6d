import type { ImageHeader } from "./header.js";

const END = Buffer.from([0xff, 0xd9]);
const SCAN = 0xda;

/** Reads the size from the frame header, behind segments of any length such as profiles and thumbnails. */
export function parseJpeg(bytes: Buffer): ImageHeader | null {
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    // Skips fill bytes before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (marker === SCAN || length < 2) return null;
    if (isFrame(marker)) return frameAt(bytes, at);
    at += 2 + length;
  }
  return null;
}

/** Markers of frames; C4 and CC are tables, and C8 is reserved. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function frameAt(bytes: Buffer, at: number): ImageHeader | null {
  if (at + 9 > bytes.length) return null;
  const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
  if (width === 0 || height === 0) return null;
  // Image data cannot contain this pair, and data that cameras append follows it.
  return { width, height, complete: bytes.lastIndexOf(END) > at };
}
