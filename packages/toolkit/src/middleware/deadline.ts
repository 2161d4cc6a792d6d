import { CancelledError, OpsError, TimeoutError } from "@llmc/errors";
import type { Call } from "../call/call.js";
import type { Middleware } from "../call/dispatch.js";

export interface DeadlineOptions {
  /** The time a tool that only reads has, beside what the call itself asks to wait. */
  readonly readTimeoutMs: number;
  /** Milliseconds that the call itself asks to wait, by its arguments; 0 unless given. */
  readonly ownWaitMs?: (args: Call["args"]) => number;
}

/**
 * A tool that only reads is answered for when its time is up or its client is gone, even if the handler hangs.
 * A tool that changes something is told to stop and must itself say in which state it left things.
 */
export function deadline({ readTimeoutMs, ownWaitMs = () => 0 }: DeadlineOptions): Middleware {
  return async (call, next) => {
    const name = call.tool?.name ?? call.name;
    if (call.signal.aborted) throw new CancelledError(name);
    const { controller, letGo } = ownOf(call, name);
    call.signal = controller.signal;
    const reads = call.tool?.annotations.readOnlyHint === true;
    const ms = readTimeoutMs + ownWaitMs(call.args);
    const timer = reads
      ? setTimeout(() => controller.abort(new TimeoutError(name, ms / 1000, { id: "ask-for-less" })), ms)
      : undefined;
    try {
      return await (reads ? orAborted(next, controller.signal) : next());
    } catch (thrown) {
      // An aborted wait throws its own AbortError; the caller is told why it was aborted.
      throw controller.signal.aborted && !OpsError.is(thrown) ? controller.signal.reason : thrown;
    } finally {
      clearTimeout(timer);
      letGo?.();
    }
  };
}

interface Own {
  readonly controller: AbortController;
  readonly letGo?: () => void;
}

/** A signal that others share is not ours to abort: it is followed. */
function ownOf({ controller, signal }: Call, name: string): Own {
  if (controller !== undefined) return { controller };
  const own = new AbortController();
  const onAbort = () => own.abort(new CancelledError(name));
  signal.addEventListener("abort", onAbort, { once: true });
  return { controller: own, letGo: () => signal.removeEventListener("abort", onAbort) };
}

/** Whichever is first: the work's own end, or that of its time. */
function orAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
    work().then(resolve, reject);
  });
}
