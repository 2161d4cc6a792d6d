import { Buffer } from "node:buffer";

const NEWLINE = 0x0a;
const FIRST_SIZE = 64 * 1024;

/** A line without its newline; null stands for one that was too long and was skipped. */
export type Frame = Buffer | null;

export interface Frames {
  push(chunk: Buffer): Iterable<Frame>;
}

/** Cuts a stream into lines. What it holds is bounded, however long a line is and in however small pieces it comes. */
export function createFrames(maxBytes: number): Frames {
  let held = Buffer.alloc(0);
  let length = 0;
  let skipping = false;

  function hold(part: Buffer): void {
    if (length + part.length > held.length) {
      const size = Math.max(FIRST_SIZE, length + part.length, Math.min(held.length * 2, maxBytes));
      const grown = Buffer.allocUnsafe(size);
      held.copy(grown, 0, 0, length);
      held = grown;
    }
    part.copy(held, length);
    length += part.length;
  }

  function release(): void {
    held = Buffer.alloc(0);
    length = 0;
  }

  function* push(chunk: Buffer): Iterable<Frame> {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      const part = rest.subarray(0, end);
      rest = rest.subarray(end + 1);
      if (skipping) {
        skipping = false;
      } else if (length + part.length > maxBytes) {
        release();
        yield null;
      } else if (length === 0) {
        yield part;
      } else {
        hold(part);
        const line = held.subarray(0, length);
        release();
        yield line;
      }
    }
    if (skipping || rest.length === 0) return;
    if (length + rest.length <= maxBytes) {
      hold(rest);
      return;
    }
    // Told at once, not at the newline: that one may never come.
    skipping = true;
    release();
    yield null;
  }

  return { push };
}
