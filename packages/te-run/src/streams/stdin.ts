import { once } from "node:events";
import type { Writable } from "node:stream";

export type StdinSource = Uint8Array | string | AsyncIterable<Uint8Array>;

/**
 * Writes a program's stdin, chunk after chunk: the next one is asked for when there is room for it. Rejects with what
 * the source throws. A program that takes no more (it ended, or closed its stdin) is no failure; the source is told.
 */
export async function writeStdin(stdin: Writable, input: StdinSource): Promise<void> {
  if (typeof input === "string" || input instanceof Uint8Array) {
    stdin.end(input);
    return;
  }
  const source = input[Symbol.asyncIterator]();
  const unlessClosed = closing(stdin);
  try {
    while (!stdin.destroyed) {
      const next = await unlessClosed(source.next());
      if (next === undefined) break;
      if (next.done === true) {
        stdin.end();
        return;
      }
      // once() rejects with the stream's error: it is closed then.
      if (!stdin.write(next.value)) await unlessClosed(once(stdin, "drain").catch(() => undefined));
    }
    leave(source);
  } catch (cause) {
    leave(source);
    throw cause;
  }
}

/** Waits for a promise, but no longer than the stream lives: then undefined. */
function closing(stream: Writable): <T>(promise: Promise<T>) => Promise<T | undefined> {
  let onClose: () => void = () => undefined;
  // One listener for all waits: a race against one promise of the end would leave a reaction with it for each chunk.
  stream.once("close", () => onClose());
  return (promise) =>
    new Promise((resolve, reject) => {
      onClose = () => resolve(undefined);
      promise.then(resolve, reject);
    });
}

/** Not waited for: a source that hangs in its last step must not hang the run. */
function leave(source: AsyncIterator<Uint8Array>): void {
  source.return?.().catch(() => undefined);
}
