/** Something whose memory may be taken from it at any time. */
export interface Forgetful {
  forget(): void;
}

const MAX_BYTES = 8_000_000;

// One for the process, since it is the process whose memory is bounded: a walk may hold thousands of patterns.
const held = new Map<Forgetful, number>();
let total = 0;

/** Notes that one holds more bytes now. Beyond the bound, those forget first that have not grown for the longest time. */
export function hold(holder: Forgetful, bytes: number): void {
  const sum = (held.get(holder) ?? 0) + bytes;
  held.delete(holder);
  held.set(holder, sum);
  total += bytes;
  for (const [oldest, freed] of held) {
    if (total <= MAX_BYTES) return;
    held.delete(oldest);
    total -= freed;
    oldest.forget();
  }
}

/** What all hold together, about. */
export function bytesHeld(): number {
  return total;
}
