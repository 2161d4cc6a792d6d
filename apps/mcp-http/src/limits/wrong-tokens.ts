import { setTimeout as delay } from "node:timers/promises";
import { RateLimitedError } from "@llmc/errors";

/** Wrong tokens of an address that are answered at once; more of them are answered one after the other. */
const FREE = 10;
const FORGOTTEN_AFTER_MS = 60_000;
const SLOW_MS = 1000;
/** Requests of an address that may wait for a slow answer; the next one is refused without a look at its token. */
const WAITING = 8;
/** Addresses that are remembered; the oldest makes room. */
const ADDRESSES = 10_000;

interface Guesses {
  readonly count: number;
  readonly at: number;
  readonly waiting: number;
}

/** Slows down an address that tries tokens. A right token passes at once, unless too many wrong ones of its address wait. */
export interface WrongTokens {
  demandRoom(address: string): void;
  /** Resolves when the wrong token may be answered. */
  answered(address: string): Promise<void>;
}

export function wrongTokens(now = () => performance.now()): WrongTokens {
  const guesses = new Map<string, Guesses>();

  function of(address: string): Guesses {
    const known = guesses.get(address);
    if (known === undefined || (known.waiting === 0 && now() - known.at > FORGOTTEN_AFTER_MS))
      return { count: 0, at: now(), waiting: 0 };
    return known;
  }

  function put(address: string, changed: Guesses): void {
    guesses.delete(address);
    guesses.set(address, changed);
    const [oldest] = guesses.keys();
    if (guesses.size > ADDRESSES && oldest !== undefined) guesses.delete(oldest);
  }

  return {
    demandRoom(address) {
      if (of(address).waiting >= WAITING) throw new RateLimitedError("wrong tokens from this address", SLOW_MS);
    },
    async answered(address) {
      const before = of(address);
      const isSlow = before.count >= FREE;
      put(address, { count: before.count + 1, at: now(), waiting: before.waiting + (isSlow ? 1 : 0) });
      if (!isSlow) return;
      await delay(SLOW_MS);
      const after = of(address);
      put(address, { ...after, waiting: Math.max(0, after.waiting - 1) });
    },
  };
}
