import type { Writable } from "node:stream";

export interface Writer {
  /** Resolves when the client has room again. After the end it does nothing. */
  write(message: object): Promise<void>;
  /** Whether so little waits to be read by the client that more may be asked of us. */
  hasRoom(): boolean;
  /** Resolves once it has. */
  room(): Promise<void>;
  flushed(): Promise<void>;
}

export interface WriterOptions {
  readonly stdout: Writable;
  /** A client that sends but does not read must not fill our memory; smaller pile-ups are its own affair. */
  readonly maxWaitingBytes: number;
  /** Nobody reads any more. */
  readonly onEnd: () => void;
}

export function createWriter({ stdout, maxWaitingBytes, onEnd }: WriterOptions): Writer {
  let ended = false;
  let unwritten = 0;
  let waiters: (() => void)[] = [];

  const wake = () => {
    const woken = waiters;
    waiters = [];
    for (const resolve of woken) resolve();
  };
  const end = () => {
    if (ended) return;
    ended = true;
    wake();
    onEnd();
  };
  // EPIPE and its like: nobody reads any more, and there is nobody to tell.
  stdout.on("error", end);
  stdout.on("close", end);
  stdout.on("drain", wake);

  const until = async (done: () => boolean) => {
    while (!ended && !done()) await new Promise<void>((resolve) => waiters.push(resolve));
  };

  const hasRoom = () => stdout.writableLength <= maxWaitingBytes || !stdout.writableNeedDrain;

  return {
    write(message) {
      if (ended) return Promise.resolve();
      unwritten += 1;
      const written = () => {
        unwritten -= 1;
        if (unwritten === 0) wake();
      };
      if (stdout.write(`${JSON.stringify(message)}\n`, written)) return Promise.resolve();
      return until(() => !stdout.writableNeedDrain);
    },
    hasRoom,
    room: () => until(hasRoom),
    flushed: () => until(() => unwritten === 0),
  };
}
