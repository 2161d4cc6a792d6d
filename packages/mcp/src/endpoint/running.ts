import { setTimeout as delay } from "node:timers/promises";
import { CancelledError } from "@llmc/errors";

export interface Running {
  readonly size: () => number;
  /** Does work under a signal of its own, which follows `outer` and `cancel`; the work may abort it as well. */
  run<T>(outer: AbortSignal, work: (controller: AbortController) => Promise<T>): Promise<T>;
  cancel(): void;
  /** Resolves when nothing runs, or after `ms`; whether nothing runs. */
  settled(ms: number, signal?: AbortSignal): Promise<boolean>;
}

/** The requests of one connection. The SDK forgets one of two that share an id; here none is forgotten. */
export function createRunning(): Running {
  const controllers = new Set<AbortController>();
  let waiters: (() => void)[] = [];

  async function run<T>(outer: AbortSignal, work: (controller: AbortController) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const onAbort = () => cancelled(controller);
    outer.addEventListener("abort", onAbort, { once: true });
    if (outer.aborted) onAbort();
    controllers.add(controller);
    try {
      return await work(controller);
    } finally {
      outer.removeEventListener("abort", onAbort);
      controllers.delete(controller);
      if (controllers.size === 0) idle();
    }
  }

  function idle(): void {
    const woken = waiters;
    waiters = [];
    for (const wake of woken) wake();
  }

  async function settled(ms: number, signal?: AbortSignal): Promise<boolean> {
    if (controllers.size === 0) return true;
    const timer = new AbortController();
    const onAbort = () => timer.abort();
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted) onAbort();
    const late = delay(ms, undefined, { signal: timer.signal }).catch(() => {});
    await Promise.race([new Promise<void>((resolve) => waiters.push(resolve)), late]);
    timer.abort();
    signal?.removeEventListener("abort", onAbort);
    return controllers.size === 0;
  }

  return {
    size: () => controllers.size,
    run,
    cancel: () => {
      for (const controller of controllers) cancelled(controller);
    },
    settled,
  };
}

function cancelled(controller: AbortController): void {
  controller.abort(new CancelledError("The call"));
}
