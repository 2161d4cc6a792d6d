import { isUtf8 } from "node:buffer";

export interface Slice {
  readonly data: string;
  readonly encoding: "utf8" | "base64";
  readonly bytes: number;
}

/**
 * The first `limit` bytes as text that ends between two characters, else as base64. `source` holds up to three bytes
 * more than the limit, so that a limit smaller than one character still gives that character.
 */
export function textOrBase64(source: Buffer, limit: number): Slice {
  const end = source.length > limit ? boundary(source, limit) : source.length;
  const text = source.subarray(0, end);
  if (isUtf8(text) && !text.includes(0)) return { data: text.toString("utf8"), encoding: "utf8", bytes: end };
  const bytes = source.subarray(0, limit);
  return { data: bytes.toString("base64"), encoding: "base64", bytes: bytes.length };
}

/** Steps back over continuation bytes; where nothing is left before them, forward instead. */
function boundary(source: Buffer, limit: number): number {
  let end = limit;
  while (end > limit - 4 && end > 0 && isContinuation(source[end])) end -= 1;
  if (end > 0) return end;
  end = limit;
  while (isContinuation(source[end])) end += 1;
  return end;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
