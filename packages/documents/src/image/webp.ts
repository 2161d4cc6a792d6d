import type { ImageHeader } from "./header.js";

export function parseWebp(bytes: Buffer): ImageHeader | null {
  if (bytes.length < 30) return null;
  const size = sizeIn(bytes);
  if (size === null || size.width === 0 || size.height === 0) return null;
  return { ...size, complete: bytes.readUInt32LE(4) + 8 <= bytes.length };
}

type Size = Pick<ImageHeader, "width" | "height">;

/** Reads the first chunk: a lossy image, a lossless image, or the header of a file with several parts. */
function sizeIn(bytes: Buffer): Size | null {
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8 ":
      return lossy(bytes);
    case "VP8L":
      return lossless(bytes);
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}

function lossy(bytes: Buffer): Size | null {
  const isKeyFrame = ((bytes[20] ?? 1) & 1) === 0;
  if (!isKeyFrame || bytes.readUIntBE(23, 3) !== 0x9d012a) return null;
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}

function lossless(bytes: Buffer): Size | null {
  if (bytes[20] !== 0x2f) return null;
  const bits = bytes.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
