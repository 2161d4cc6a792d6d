import type { ChildProcess } from "node:child_process";
import { Duplex } from "node:stream";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

/** Bounds the report: a few lines of bwrap's status, and the programs that a command left running. */
const MAX_STATUS_CHARS = 32 * 1024;
/** Milliseconds for a last line after the end, because another process may keep the channel open. */
const PATIENCE_MS = 300;

/** Reads descriptor 3, on which a sandbox reports that it has executed the program. */
export class StatusChannel {
  readonly #over: Promise<void>;
  #text = "";

  private constructor(channel: Duplex) {
    channel.on("error", () => undefined);
    this.#over = new Promise<void>((resolve) => {
      for (const event of ["end", "close"]) channel.once(event, () => resolve());
    });
    channel.on("data", (chunk: Buffer) => {
      if (this.#text.length < MAX_STATUS_CHARS) this.#text += chunk.toString("latin1");
    });
    // The channel must not keep this process alive.
    (channel as unknown as { unref(): void }).unref();
  }

  /** Undefined for a child without such a channel. */
  static of(child: ChildProcess): StatusChannel | undefined {
    const channel = child.stdio[3];
    return channel instanceof Duplex ? new StatusChannel(channel) : undefined;
  }

  /** Returns the whole report. Call this after the end of the child. */
  async text(): Promise<string> {
    const enough = new AbortController();
    try {
      await Promise.race([this.#over, sleep(PATIENCE_MS, undefined, { signal: enough.signal })]);
      // On a busy machine the timer may fire before waiting bytes are looked at.
      await Promise.race([this.#over, nextTurn().then(() => nextTurn())]);
      return this.#text;
    } finally {
      enough.abort();
    }
  }
}
