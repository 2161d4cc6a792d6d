import { setImmediate as nextTurn } from "node:timers/promises";

/** Gives the event loop its turn now and then, and ends the work when its caller goes away. */
export interface Pace {
  readonly isDue: boolean;
  rest(): Promise<void>;
}

const TURN_MS = 10;

export function createPace(signal?: AbortSignal): Pace {
  let turn = performance.now() + TURN_MS;
  return {
    get isDue() {
      return performance.now() > turn;
    },
    async rest() {
      signal?.throwIfAborted();
      await nextTurn();
      turn = performance.now() + TURN_MS;
    },
  };
}
