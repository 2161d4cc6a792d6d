import { chunksOf } from "@llmc/commands";
import { InvalidArgumentError } from "@llmc/errors";
import { localOwner, readWhole } from "@llmc/handles";
import type { AskedHandle } from "../command-line/asked.js";
import { openStore } from "../store/open-store.js";
import { linesOf, matchingLines } from "./lines.js";

/** Returns all that is kept under a handle, or the part that was asked for. */
export async function partOf(asked: AskedHandle): Promise<Buffer | string> {
  const { handle, chunk, lines, match, places } = asked;
  const { store, close } = await openStore(places);
  try {
    const { bytes: payload } = await readWhole(store, localOwner(), handle);
    if (chunk !== undefined) return chunkOf(payload, chunk, handle);
    if (match !== undefined) return matchingLines(payload.toString(), match, lines);
    return lines === undefined ? payload : linesOf(payload.toString(), lines);
  } finally {
    await close();
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
