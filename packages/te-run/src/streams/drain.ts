import { setImmediate as nextTurn } from "node:timers/promises";
import type { OutputReader } from "./output.js";

const PATIENCE_MS = 300;
/** More than a socket pair holds by default (208 KiB): behind that much, nothing is older than the exit. */
const PIPE_BYTES = 4 * 1024 * 1024;

/**
 * Waits, after the program has ended, until what it had printed is read. Normally that is the end of both streams. If
 * somebody else holds a stream open, the end never comes; then it is the first turn of the loop after 300 ms in which
 * nothing arrived (not the 300 ms alone: on a busy machine the timer may fire before waiting bytes are looked at).
 * A taker that is still busy is waited for until `patientUntil` fires; without that signal it is not waited for.
 */
export async function drain(readers: readonly OutputReader[], patientUntil?: AbortSignal): Promise<void> {
  for (const reader of readers) reader.hurry();
  const enough = totalOf(readers) + PIPE_BYTES;
  await firstOf(
    readers.map((reader) => reader.done),
    patientUntil,
    PATIENCE_MS,
  );
  while (readers.some((reader) => !reader.finished) && patientUntil?.aborted !== true) {
    const before = totalOf(readers);
    const busy = readers.flatMap((reader) => reader.busy ?? []);
    if (busy.length > 0) {
      if (patientUntil === undefined) return;
      await firstOf(busy, patientUntil);
    }
    // Two turns: data of this turn is handed out in microtasks behind its poll phase.
    await nextTurn();
    await nextTurn();
    const after = totalOf(readers);
    const quiet = busy.length === 0 && after === before && readers.every((reader) => reader.busy === undefined);
    if (quiet || after >= enough) return;
  }
}

/** Until all have settled, the signal fires, or the time is over. */
function firstOf(all: readonly Promise<void>[], signal: AbortSignal | undefined, ms?: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = ms === undefined ? undefined : setTimeout(finish, ms);
    function finish(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      resolve();
    }
    signal?.addEventListener("abort", finish);
    if (signal?.aborted === true) finish();
    void Promise.all(all).then(finish);
  });
}

function totalOf(readers: readonly OutputReader[]): number {
  return readers.reduce((sum, reader) => sum + reader.total, 0);
}
