import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { InvalidArgumentError } from "@llmc/errors";
import type { HandleMeta, HandlePage, HandleSource } from "./handle.js";

const MAX_META_BYTES = 32 * 1024;
const MAX_PAGE = 1000;
const HASHED_AT_ONCE = 2 * 1024 * 1024;
// A file changed within the granularity of its timestamps keeps them; after this long the kernel's clock has moved on.
const SETTLED_MS = 2000;

export function metaToJson(meta: HandleMeta): string {
  const json = JSON.stringify(meta);
  const bytes = Buffer.byteLength(json);
  if (bytes <= MAX_META_BYTES) return json;
  throw new InvalidArgumentError(`The meta of a handle has ${bytes} bytes, at most ${MAX_META_BYTES} are allowed`);
}

/** One string for the state of a file, or null while that state may still change unseen. */
export function settledKey(source: HandleSource | undefined): string | null {
  if (source === undefined) return null;
  const ageMs = source.readAtMs - Number(source.ctimeNs / 1_000_000n);
  return ageMs >= SETTLED_MS ? sourceKey(source) : null;
}

export function sourceKey({ dev, ino, size, mtimeNs, ctimeNs }: Omit<HandleSource, "readAtMs">): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(":");
}

/** Yields between pieces: 16 MiB would hold the event loop for ten milliseconds. */
export async function sha256(payload: Uint8Array): Promise<string> {
  const hash = createHash("sha256");
  for (let at = 0; at < payload.length; at += HASHED_AT_ONCE) {
    if (at > 0) await nextTurn();
    hash.update(payload.subarray(at, at + HASHED_AT_ONCE));
  }
  return hash.digest("hex");
}

export function checkSlice(offset: number, limit: number): void {
  if (!Number.isSafeInteger(offset) || offset < 0) throw new InvalidArgumentError("offset must be an integer ≥ 0");
  if (!Number.isSafeInteger(limit) || limit < 0) throw new InvalidArgumentError("limit must be an integer ≥ 0");
}

export function checkPage({ limit }: HandlePage): void {
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= MAX_PAGE) return;
  throw new InvalidArgumentError(`limit must be an integer from 1 to ${MAX_PAGE}`);
}
