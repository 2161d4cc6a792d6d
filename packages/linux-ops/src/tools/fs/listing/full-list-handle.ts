import type { Listing } from "@llmc/te-fs";
import type { LinuxOpsContext } from "../../../context/context.js";
import { toEntry } from "./entry.js";
import { makeHandleId } from "../../../answer/handle.js";

/** How long the encoding may go on before others get their turn. */
const TURN_MS = 5;
const ENTRIES_BETWEEN_LOOKS = 500;

/** Keeps all found entries behind a handle, as a JSON array with an entry on each line; null if they are too many. */
export async function fullListHandle(listing: Listing, context: LinuxOpsContext): Promise<string | null> {
  const { mcp, signal } = context;
  const payload = await encode(listing, mcp.handles.max_payload_bytes, signal);
  return (
    payload &&
    (await makeHandleId(context, { type: "fs_list", meta: { kind: "fs_list", path: listing.path }, payload }))
  );
}

async function encode({ folders, isWhole }: Listing, maxBytes: number, signal: AbortSignal): Promise<Buffer | null> {
  if (!isWhole) return null;
  const pieces: Buffer[] = [];
  let bytes = 0;
  let piece: string[] = [];
  let turn = performance.now() + TURN_MS;
  const flush = (): void => {
    const text = piece.join(",\n");
    pieces.push(Buffer.from(bytes === 0 ? text : `,\n${text}`));
    bytes += pieces.at(-1)?.length ?? 0;
    piece = [];
  };
  for (const folder of folders) {
    for (const entry of folder.entries) {
      piece.push(JSON.stringify(toEntry(folder.path, entry)));
      if (piece.length < ENTRIES_BETWEEN_LOOKS) continue;
      flush();
      if (bytes > maxBytes) return null;
      if (performance.now() < turn) continue;
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      turn = performance.now() + TURN_MS;
    }
  }
  if (piece.length > 0) flush();
  return Buffer.concat([Buffer.from("["), ...pieces, Buffer.from("]")]);
}
