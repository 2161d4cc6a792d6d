import { startRegexThread, type RegexThread, type RegexThreadOptions } from "./regex-thread.js";

export interface RegexThreadsOptions extends RegexThreadOptions {
  /** How many there are at once; who asks for more waits. */
  readonly most: number;
  /** How long one that has nothing to do is kept. */
  readonly warmMs: number;
}

/** Threads for regular expressions. One that has come to its end in order is used again. */
export interface RegexThreads {
  /** Undefined once the signal is aborted. Whoever has one gives it back. */
  take(signal: AbortSignal): Promise<RegexThread | undefined>;
  give(thread: RegexThread): void;
  close(): void;
}

export function createRegexThreads(options: RegexThreadsOptions): RegexThreads {
  const waiting: (() => void)[] = [];
  let warm: RegexThread | undefined;
  let cooling: NodeJS.Timeout | undefined;
  let taken = 0;
  let closed = false;

  const cool = (): void => {
    clearTimeout(cooling);
    warm?.end();
    warm = undefined;
  };

  return {
    async take(signal) {
      while (taken >= options.most && !signal.aborted) await turn(waiting, signal);
      if (signal.aborted) {
        waiting.shift()?.();
        return undefined;
      }
      taken += 1;
      clearTimeout(cooling);
      const thread = warm?.isGone === false ? warm : startRegexThread(options);
      warm = undefined;
      return thread;
    },
    give(thread) {
      taken -= 1;
      waiting.shift()?.();
      if (thread.isGone) return;
      if (closed || warm !== undefined) return thread.end();
      warm = thread;
      cooling = setTimeout(cool, options.warmMs).unref();
    },
    close() {
      closed = true;
      cool();
    },
  };
}

/** One that is called although it has given up passes it on. */
async function turn(waiting: (() => void)[], signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    waiting.push(resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
