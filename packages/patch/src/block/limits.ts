import { setImmediate as nextTurn } from "node:timers/promises";
import { abortReason, OutputTooLargeError } from "@llmc/errors";

const TURN_MS = 10;

/** Lets others have their turn when this took long, and ends when the caller is gone. */
export function turns(signal: AbortSignal | undefined): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since > TURN_MS) {
      await nextTurn();
      since = performance.now();
    }
    if (signal?.aborted) throw abortReason(signal);
  };
}

/** Throws when more is spent than a file may have. */
export type Spend = (units: number) => void;

export function spending(path: string, most: number): Spend {
  let left = most;
  return (units) => {
    left -= units;
    if (left >= 0) return;
    throw new OutputTooLargeError(
      path,
      "would grow above the limit for patches",
      "Write less, or replace less at once.",
    );
  };
}
