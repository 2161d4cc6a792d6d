import type { HandleMeta } from "@llmc/handles";
import type { LinuxOpsContext } from "../context.js";
import { keep } from "../read/keeping.js";
import { createPace } from "./pace.js";

const ENTRIES_IN_A_PIECE = 500;

/** All that was found, as one JSON array behind a handle; null where there is too much of it to keep. */
export async function keepHits(
  entries: Iterable<object>,
  meta: HandleMeta,
  context: LinuxOpsContext,
): Promise<string | null> {
  const { mcp, signal } = context;
  const payload = await jsonArray(entries, mcp.handles.max_payload_bytes, signal);
  return payload && (await keep(context, { type: "search_hits", meta, payload }));
}

export async function jsonArray(
  entries: Iterable<object>,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer | null> {
  const pace = createPace(signal);
  const pieces: Buffer[] = [];
  let bytes = 2;
  let piece: string[] = [];
  const flush = (): void => {
    const buffer = Buffer.from(`${pieces.length === 0 ? "" : ","}${piece.join(",")}`);
    pieces.push(buffer);
    bytes += buffer.length;
    piece = [];
  };
  for (const entry of entries) {
    piece.push(JSON.stringify(entry));
    if (piece.length === ENTRIES_IN_A_PIECE) flush();
    if (bytes > maxBytes) return null;
    if (pace.due()) await pace.rest();
  }
  if (piece.length > 0) flush();
  return bytes > maxBytes ? null : Buffer.concat([Buffer.from("["), ...pieces, Buffer.from("]")]);
}
