import type { Writable } from "node:stream";

/** Resolves when the bytes are out. A reader that went away is told to the caller by the error EPIPE. */
export function write(target: Writable, bytes: Uint8Array | string): Promise<void> {
  if (bytes.length === 0) return Promise.resolve();
  if (target.listenerCount("error") === 0) target.on("error", () => undefined);
  return new Promise((resolve, reject) => {
    target.write(bytes, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** Like `write`, for a last output: a reader that went away makes no difference. */
export async function writeLast(target: Writable, bytes: Uint8Array | string): Promise<void> {
  await write(target, bytes).catch((thrown: unknown) => {
    if ((thrown as NodeJS.ErrnoException).code !== "EPIPE") throw thrown;
  });
}
