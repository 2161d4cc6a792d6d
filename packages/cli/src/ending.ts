export interface Ending {
  /** Aborts at the first reason to end: a signal, a closed input, a dead parent. */
  readonly signal: AbortSignal;
  stop(reason: string): void;
}

export interface EndingOptions {
  /** How long an orderly end may take once it was asked for. */
  readonly graceMs: number;
  /** Said when it took longer; the process ends with 1 then. */
  readonly onLate: (message: string) => void;
}

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
const KILLED_BY_SIGINT = 130;

/** The first signal asks for an orderly end, the second ends at once, and a hung end is cut short. */
export function createEnding({ graceMs, onLate }: EndingOptions): Ending {
  const controller = new AbortController();
  const stop = (reason: string) => {
    if (controller.signal.aborted) return;
    controller.abort(reason);
    setTimeout(() => {
      onLate(`did not end within ${graceMs / 1000} s after ${reason}`);
      process.exit(1);
    }, graceMs).unref();
  };
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(KILLED_BY_SIGINT);
      stop(name);
    });
  }
  return { signal: controller.signal, stop };
}

/** Stops when the process that started us is gone: its pipes may be held open by somebody else. */
export function watchParent(ending: Ending, everyMs: number): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    ending.stop("the end of its parent");
  }, everyMs);
  timer.unref();
}
