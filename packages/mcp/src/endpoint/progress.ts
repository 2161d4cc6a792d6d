import type { Timing } from "../protocol/options.js";

export interface ProgressUpdate {
  /** Seconds since the start of the call; rises with each update. */
  readonly progress: number;
  readonly message: string;
}

export interface Progress {
  readonly report: (message: string) => void;
  /** The protocol forbids progress after the answer. */
  readonly stop: () => void;
}

const MAX_MESSAGE = 500;

/** Passes a handler's messages on, at most one each `progressGapMs`, and speaks for one that is silent. */
export function createProgress(
  send: (update: ProgressUpdate) => void,
  { heartbeatMs, progressGapMs }: Pick<Timing, "heartbeatMs" | "progressGapMs">,
): Progress {
  const start = performance.now();
  let last = 0;
  let sentAt = -Infinity;
  let waiting: string | undefined;
  let stopped = false;
  let heartbeat = setTimeout(beat, heartbeatMs);
  let gap: NodeJS.Timeout | undefined;

  function emit(message: string): void {
    sentAt = performance.now();
    // Two updates within the clock's resolution must still rise.
    last = Math.max(Math.round(sentAt - start) / 1000, Math.round(last * 1000 + 1) / 1000);
    send({ progress: last, message });
    clearTimeout(heartbeat);
    heartbeat = setTimeout(beat, heartbeatMs);
  }

  function beat(): void {
    emit(`still running, ${Math.round((performance.now() - start) / 1000)} s`);
  }

  function report(message: string): void {
    if (stopped) return;
    waiting = message.slice(0, MAX_MESSAGE);
    if (gap !== undefined) return;
    const rest = sentAt + progressGapMs - performance.now();
    if (rest <= 0) flush();
    else gap = setTimeout(flush, rest);
  }

  function flush(): void {
    gap = undefined;
    const message = waiting;
    waiting = undefined;
    if (message !== undefined) emit(message);
  }

  function stop(): void {
    stopped = true;
    clearTimeout(heartbeat);
    clearTimeout(gap);
  }

  return { report, stop };
}

/** Where the client asked for no progress. */
export const NO_PROGRESS: Progress = { report: () => {}, stop: () => {} };
