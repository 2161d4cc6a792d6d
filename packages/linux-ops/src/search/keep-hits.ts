import type { HandleMeta } from "@llmc/handles";
import type { LinuxOpsContext } from "../context.js";
import { keep } from "../read/keeping.js";
import { createPace } from "./pace.js";

const CHARS_IN_A_PIECE = 64 * 1024;

/** All that was found, as one JSON array behind a handle; null where there is too much of it to keep. */
export async function keepHits(
  texts: Iterable<string>,
  meta: HandleMeta,
  context: LinuxOpsContext,
): Promise<string | null> {
  const { mcp, signal } = context;
  const payload = await jsonArray(texts, mcp.handles.max_payload_bytes, signal);
  return payload && (await keep(context, { type: "search_hits", meta, payload }));
}

/** Each text is an entry in JSON, or some with commas between. */
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
    const buffer = Buffer.from(`${pieces.length === 0 ? "" : ","}${piece.join(",")}`);
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
