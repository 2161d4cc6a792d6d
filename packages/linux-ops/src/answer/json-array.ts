import { createPace } from "./pace.js";

const CHARS_IN_A_PIECE = 64 * 1024;
const SEPARATOR = ",\n";

/**
 * One JSON array with an entry a line, so that a part of it can be read by lines; null when it has more bytes than
 * allowed. Each text is an entry in JSON, or some that are joined in the same way.
 */
export async function jsonArray(
  texts: Iterable<string>,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const pace = createPace(signal);
  const pieces: Buffer[] = [];
  let bytes = 2;
  let piece: string[] = [];
  let chars = 0;
  const flush = (): void => {
    const buffer = Buffer.from(`${pieces.length === 0 ? "" : SEPARATOR}${piece.join(SEPARATOR)}`);
    pieces.push(buffer);
    bytes += buffer.length;
    piece = [];
    chars = 0;
  };
  for (const text of texts) {
    piece.push(text);
    chars += text.length;
    if (chars >= CHARS_IN_A_PIECE) flush();
    if (bytes > maxBytes) return null;
    if (pace.due()) await pace.rest();
  }
  if (piece.length > 0) flush();
  return bytes > maxBytes ? null : Buffer.concat([Buffer.from("["), ...pieces, Buffer.from("]")]);
}
