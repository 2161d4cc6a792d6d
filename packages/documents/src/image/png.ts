import { crc32 } from "node:zlib";
import type { ImageHeader } from "./header.js";

const FIRST_CHUNK = 8;
/** Bytes of length, type and checksum around a chunk's data. */
const AROUND = 12;
const LARGEST = 2 ** 31 - 1;

export function parsePng(bytes: Buffer): ImageHeader | null {
  if (bytes.length < 24 || bytes.readUInt32BE(FIRST_CHUNK) !== 13 || typeAt(bytes, FIRST_CHUNK) !== "IHDR") return null;
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (width === 0 || height === 0 || Math.max(width, height) > LARGEST) return null;
  return { width, height, complete: isComplete(bytes) };
}

function isComplete(bytes: Buffer): boolean {
  let hasData = false;
  for (let at = FIRST_CHUNK; at + AROUND <= bytes.length;) {
    const end = at + AROUND + bytes.readUInt32BE(at);
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return false;
    if (typeAt(bytes, at) === "IEND") return hasData;
    hasData ||= typeAt(bytes, at) === "IDAT";
    at = end;
  }
  return false;
}

function typeAt(bytes: Buffer, chunk: number): string {
  return bytes.toString("latin1", chunk + 4, chunk + 8);
}
