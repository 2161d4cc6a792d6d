import { abortReason } from "@llmc/errors";

/** Those who want the same thing, in the order in which they came. */
interface Line {
  readonly waiting: Set<() => void>;
  /** Since when its first one has found the thing taken by another process. */
  blockedSince: number | undefined;
}

export interface Turn {
  /** When it was asked for. */
  readonly since: number;
  readonly line: { blockedSince: number | undefined };
  /** The next one's turn begins. Once only. */
  leave(): void;
}

/** One at a time for each key, first come first served. */
export class Turns {
  readonly #lines = new Map<string, Line>();

  /** Begins where nobody has to be waited for; returns what ends the turn. */
  enterNow(key: string): (() => void) | undefined {
    if (this.#lines.has(key)) return undefined;
    const line: Line = { waiting: new Set(), blockedSince: undefined };
    this.#lines.set(key, line);
    return () => this.#next(key, line);
  }

  /** Waits for as long as it takes, or until the signal. */
  async enter(key: string, signal: AbortSignal | undefined): Promise<Turn> {
    if (signal?.aborted) throw abortReason(signal);
    const since = performance.now();
    const before = this.#lines.get(key);
    const line = before ?? { waiting: new Set(), blockedSince: undefined };
    if (before === undefined) this.#lines.set(key, line);
    else await calledUp(line.waiting, signal);
    return { since, line, leave: () => this.#next(key, line) };
  }

  #next(key: string, { waiting }: Line): void {
    const [first] = waiting;
    if (first === undefined) this.#lines.delete(key);
    else {
      waiting.delete(first);
      first();
    }
  }
}

function calledUp(waiting: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      waiting.delete(callUp);
      reject(abortReason(signal as AbortSignal));
    };
    const callUp = (): void => {
      signal?.removeEventListener("abort", giveUp);
      resolve();
    };
    waiting.add(callUp);
    signal?.addEventListener("abort", giveUp, { once: true });
  });
}
