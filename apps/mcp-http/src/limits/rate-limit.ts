import { RateLimitedError } from "@llmc/errors";

/** Requests that a caller may make. Asynchronous, because several servers may share their counts one day. */
export interface RateLimiter {
  /** Rejects with a RateLimitedError where the caller has no request left. */
  take(caller: string): Promise<void>;
}

export interface Rate {
  /** Requests a second, and requests at once. */
  readonly rps: number;
  readonly burst: number;
}

/** Allows for rounding, so that a caller passes after the time that the refusal names. */
const ROUNDING = 1e-9;

interface Bucket {
  readonly left: number;
  readonly at: number;
}

/** A bucket of requests for each caller, in memory. The clock is monotonic, so that a changed system time has no effect. */
export function tokenBuckets({ rps, burst }: Rate, now = () => performance.now()): RateLimiter {
  const buckets = new Map<string, Bucket>();
  return {
    async take(caller) {
      const at = now();
      const last = buckets.get(caller) ?? { left: burst, at };
      const left = Math.min(burst, last.left + ((at - last.at) / 1000) * rps);
      if (left < 1 - ROUNDING) {
        const waitMs = Math.ceil(((1 - left) / rps) * 1000);
        throw new RateLimitedError(`${rps} requests a second, ${burst} at once`, waitMs);
      }
      buckets.set(caller, { left: Math.max(0, left - 1), at });
    },
  };
}
