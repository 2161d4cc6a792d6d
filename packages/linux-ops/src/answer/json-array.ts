import { createPace } from "./pace.js";

const CHARS_IN_A_PIECE = 64 * 1024;
const SEPARATOR = ",\n";

/**
 * Returns one JSON array with an entry on each line, so that a part can be read by lines, or null beyond `maxBytes`.
 * Each text is one entry in JSON, or several that are joined in the same way.
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
