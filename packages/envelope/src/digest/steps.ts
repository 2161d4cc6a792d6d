import { setImmediate as nextTurn } from "node:timers/promises";

/** Work in steps, between which other work may have its turn. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Milliseconds of work after which other work has its turn. */
const TURN_MS = 10;

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (let turn = performance.now(); ;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (performance.now() - turn < TURN_MS) continue;
    await nextTurn();
    turn = performance.now();
  }
}
