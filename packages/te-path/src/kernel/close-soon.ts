import { closeSync } from "node:fs";

/** A caller that never lets the event loop turn has so many open at most. */
const MAX_LEFT = 8;
const left: number[] = [];

/** Closes a descriptor of this machine once the event loop turns: after the answer that is being made. */
export function closeSoon(fd: number): void {
  left.push(fd);
  if (left.length === 1) setImmediate(closeLeft);
  if (left.length >= MAX_LEFT) closeLeft();
}

/** Closes them now; whether there were any. */
export function closeLeft(): boolean {
  const fds = left.splice(0);
  for (const fd of fds) {
    try {
      closeSync(fd);
    } catch {
      // Nothing was written through it: there is nothing to lose.
    }
  }
  return fds.length > 0;
}
