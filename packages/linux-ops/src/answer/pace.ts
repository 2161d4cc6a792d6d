/** How long work goes on before others get their turn. */
const TURN_MS = 5;
const STEPS_BETWEEN_LOOKS = 128;

/** Keeps long work in turns: `if (pace.due()) await pace.rest()`, once a step. */
export interface Pace {
  due(): boolean;
  rest(): Promise<void>;
}

export function createPace(signal: AbortSignal): Pace {
  let work = 0;
  let end = performance.now() + TURN_MS;
  return {
    due() {
      work += 1;
      return work % STEPS_BETWEEN_LOOKS === 0 && performance.now() >= end;
    },
    async rest() {
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      end = performance.now() + TURN_MS;
    },
  };
}
