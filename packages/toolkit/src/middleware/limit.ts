import { CancelledError, RateLimitedError } from "@llmc/errors";
import type { Middleware } from "../call/dispatch.js";

export interface LimitOptions {
  /** Calls of a token that run at the same time. */
  readonly concurrency: number;
  /** Calls of one token that may wait for a slot; the next one is refused. */
  readonly queue: number;
  /** How long a waiting call waits before it is refused. */
  readonly waitMs: number;
}

interface Lane {
  running: number;
  readonly waiting: Set<() => void>;
}

/** A burst of parallel calls is queued rather than refused: clients send reads in parallel. */
export function limit({ concurrency, queue, waitMs }: LimitOptions): Middleware {
  const lanes = new Map<string, Lane>();

  return async (call, next) => {
    const key = call.session.token;
    const lane = lanes.get(key) ?? { running: 0, waiting: new Set() };
    lanes.set(key, lane);
    if (lane.running < concurrency) lane.running += 1;
    else if (lane.waiting.size < queue) await slot(lane, waitMs, call.signal, call.name);
    else throw new RateLimitedError(`${concurrency} are running and ${queue} wait`, waitMs);
    try {
      return await next();
    } finally {
      release(lane);
      if (lane.running === 0) lanes.delete(key);
    }
  };
}

/** Hands the slot on without freeing it in between, so that nobody can push in. */
function release(lane: Lane): void {
  const [first] = lane.waiting;
  if (first === undefined) lane.running -= 1;
  else first();
}

function slot(lane: Lane, waitMs: number, signal: AbortSignal, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      lane.waiting.delete(take);
      end();
    };
    const take = () => settle(resolve);
    const onAbort = () => settle(() => reject(new CancelledError(name)));
    const timer = setTimeout(() => settle(() => reject(new RateLimitedError("no slot came free", waitMs))), waitMs);
    signal.addEventListener("abort", onAbort, { once: true });
    lane.waiting.add(take);
    if (signal.aborted) onAbort();
  });
}
