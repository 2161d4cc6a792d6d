import { chunksOf } from "@llmc/commands";
import { InvalidArgumentError } from "@llmc/errors";
import { localOwner, type HandleStore } from "@llmc/handles";
import type { AskedHandle } from "../command-line/asked.js";
import { openStore } from "../store/open-store.js";
import { linesOf, matchingLines } from "./lines.js";

const READ_AT_ONCE = 4 * 1024 * 1024;

/** Returns all that is kept under a handle, or the part that was asked for. */
export async function partOf(asked: AskedHandle): Promise<Buffer | string> {
  const { handle, chunk, lines, match, places } = asked;
  const { store, close } = await openStore(places);
  try {
    const payload = await payloadOf(store, handle);
    if (chunk !== undefined) return chunkOf(payload, chunk, handle);
    if (match !== undefined) return matchingLines(payload.toString(), match, lines);
    return lines === undefined ? payload : linesOf(payload.toString(), lines);
  } finally {
    await close();
  }
}

async function payloadOf(store: HandleStore, id: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const { data, totalBytes } = await store.readSlice(localOwner(), id, at, READ_AT_ONCE);
    parts.push(data);
    at += data.length;
    if (at >= totalBytes || data.length === 0) return Buffer.concat(parts);
  }
}

function chunkOf(payload: Buffer, wanted: number, handle: string): Buffer {
  let count = 0;
  for (const chunk of chunksOf(payload)) {
    if (count === wanted) return chunk;
    count += 1;
  }
  if (wanted === 0) return payload;
  throw new InvalidArgumentError(`${handle} has ${count} chunks, and the first is 0`);
}
