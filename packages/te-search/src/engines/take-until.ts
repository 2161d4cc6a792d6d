import type { CellOptions } from "@llmc/te-run";

type TakeChunk = NonNullable<CellOptions["onStdout"]>;

/**
 * Takes what an engine prints until nobody waits for it any more: to go on with a flood of hits would hold up the end
 * of who prints them.
 */
export function takeUntil(signal: AbortSignal | undefined, take: TakeChunk): TakeChunk {
  return signal === undefined ? take : (chunk) => (signal.aborted ? "stop" : take(chunk));
}
