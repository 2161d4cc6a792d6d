import { setTimeout as sleep } from "node:timers/promises";
import { CancelledError } from "@llmc/errors";
import { failureOf } from "./failure.js";

export interface RetryOptions {
  readonly retryMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The drivers are synchronous, so a lock of another process must not be waited for inside them: SQLite's own busy
 * timeout is kept short and the rest of the wait happens here, with the event loop free.
 */
export async function retryBusy<T>(work: () => T, { retryMs, signal }: RetryOptions): Promise<T> {
  const deadline = performance.now() + retryMs;
  for (let attempt = 0; ; attempt += 1) {
    if (signal?.aborted === true) throw new CancelledError("The database call");
    try {
      return work();
    } catch (thrown) {
      if (failureOf(thrown) !== "busy" || performance.now() >= deadline) throw thrown;
    }
    await pause(attempt, signal);
  }
}

// Random, so that two processes that met do not meet again; short, because a lock is held for milliseconds.
async function pause(attempt: number, signal: AbortSignal | undefined): Promise<void> {
  const longest = Math.min(5 * 2 ** attempt, 50);
  try {
    await sleep(1 + Math.random() * longest, undefined, signal === undefined ? {} : { signal });
  } catch {
    throw new CancelledError("The database call");
  }
}
