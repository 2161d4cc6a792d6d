import type { Handle, HandleStore } from "./handle.js";

const READ_AT_ONCE = 4 * 1024 * 1024;

export interface ReadWholeOptions {
  readonly signal?: AbortSignal;
  /** Throws for a handle that the caller may not read. */
  readonly check?: (handle: Handle) => Promise<void>;
}

/** Reads the whole payload of a handle, slice by slice. */
export async function readWhole(
  store: Pick<HandleStore, "readSlice">,
  owner: string,
  id: string,
  { signal, check }: ReadWholeOptions = {},
): Promise<{ readonly handle: Handle; readonly bytes: Buffer }> {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const { handle, data } = await store.readSlice(owner, id, at, READ_AT_ONCE);
    signal?.throwIfAborted();
    if (at === 0) await check?.(handle);
    parts.push(data);
    at += data.length;
    if (at >= handle.size || data.length === 0) return { handle, bytes: Buffer.concat(parts) };
  }
}
