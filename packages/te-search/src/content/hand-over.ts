import type { Bytes } from "@llmc/names";

export interface HandOver {
  readonly source: AsyncIterable<readonly Bytes[]>;
  readonly isClosed: boolean;
  /** The promise settles when what was given before is taken. */
  give(ways: readonly Bytes[]): void | "stop" | Promise<void | "stop">;
  end(): void;
  fail(cause: unknown): void;
  close(): void;
}

/** Few enough for the first to come soon, enough for an engine to be worth its start. */
const CHUNK = 256;
const MOST_WAITING = 4 * CHUNK;

/** From who gives to who asks, with one chunk in between. */
export function handOver(): HandOver {
  let waiting: Bytes[] = [];
  let [isOver, isClosed] = [false, false];
  let failure: { readonly cause: unknown } | undefined;
  let wake: () => void = () => undefined;
  let taken: () => void = () => undefined;

  async function* chunks(): AsyncGenerator<readonly Bytes[]> {
    try {
      for (;;) {
        if (failure !== undefined) throw failure.cause;
        if (isOver && waiting.length === 0) return;
        if (waiting.length >= CHUNK || isOver) {
          const chunk = waiting;
          waiting = [];
          taken();
          yield chunk;
        } else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      close();
    }
  }

  function close(): void {
    isClosed = true;
    taken();
    wake();
  }

  return {
    source: chunks(),
    get isClosed() {
      return isClosed;
    },
    give(ways) {
      if (isClosed) return "stop";
      for (const way of ways) waiting.push(way);
      if (waiting.length < CHUNK) return;
      wake();
      if (waiting.length < MOST_WAITING) return;
      return new Promise((resolve) => (taken = () => resolve(isClosed ? "stop" : undefined)));
    },
    end() {
      isOver = true;
      wake();
    },
    fail(cause) {
      failure = { cause };
      wake();
    },
    close,
  };
}
