import type { HandleLimits } from "./handle.js";

const HOUR_MS = 3_600_000;
// Rows cost something even when their payloads are empty.
const MAX_HANDLES = 20_000;
/** How many ids that are gone are still told apart from ids that never were. */
export const MAX_TOMBSTONES = 10_000;

/** The limits as the stores use them. */
export interface Bounds {
  readonly maxBytes: number;
  readonly maxPayload: number;
  readonly maxHandles: number;
  readonly maxAgeMs: number;
}

export function boundsOf({ maxTotalBytes, maxPayloadBytes, maxAgeHours }: HandleLimits): Bounds {
  return {
    maxBytes: maxTotalBytes,
    maxPayload: Math.min(maxPayloadBytes, maxTotalBytes),
    maxHandles: MAX_HANDLES,
    maxAgeMs: maxAgeHours * HOUR_MS,
  };
}

/** Whether `bytes` more in one more handle go over a bound. */
export function isOver(
  { maxBytes, maxHandles }: Bounds,
  held: { handles: number; bytes: number },
  more: number | null,
) {
  if (more === null) return held.bytes > maxBytes || held.handles > maxHandles;
  return held.bytes + more > maxBytes || held.handles + 1 > maxHandles;
}

/** A handle in use is renewed before it has lived half its life, not at every use: that would be a write each time. */
export function isDue({ maxAgeMs }: Bounds, expiresAt: number, now: number): boolean {
  return expiresAt - now < maxAgeMs / 2;
}
