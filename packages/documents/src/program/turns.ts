/** Runs at most a number of jobs at a time, in the order in which they came. */
export interface Turns {
  take<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

export function createTurns(most: number): Turns {
  let running = 0;
  const waiting = new Set<() => void>();

  function turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        waiting.delete(start);
        signal.removeEventListener("abort", give);
        resolve();
      };
      const give = () => {
        waiting.delete(start);
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", give, { once: true });
      waiting.add(start);
    });
  }

  /** Gives the turn to the next job, or frees it. */
  function pass(): void {
    const [next] = waiting;
    if (next === undefined) running -= 1;
    else next();
  }

  return {
    async take(work, signal) {
      signal.throwIfAborted();
      if (running < most) running += 1;
      else await turn(signal);
      try {
        return await work();
      } finally {
        pass();
      }
    },
  };
}
