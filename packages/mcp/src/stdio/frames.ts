import { Buffer } from "node:buffer";
import { SkippedLine, type TooLong } from "./skipped-line.js";

const NEWLINE = 0x0a;
const FIRST_SIZE = 64 * 1024;

/** A line without its newline, or what is known of one that was too long. */
export type Frame = Buffer | TooLong;

export interface Frames {
  push(chunk: Buffer): Iterable<Frame>;
}

/** Cuts a stream into lines. What it holds is bounded, however long a line is and in however small pieces it comes. */
export function createFrames(maxBytes: number): Frames {
  let held = Buffer.alloc(0);
  let length = 0;
  let skipped: SkippedLine | undefined;

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

  function release(): Buffer {
    const line = held.subarray(0, length);
    held = Buffer.alloc(0);
    length = 0;
    return line;
  }

  function skip(part: Buffer): SkippedLine {
    skipped ??= new SkippedLine(release());
    skipped.add(part);
    return skipped;
  }

  function* push(chunk: Buffer): Iterable<Frame> {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      const part = rest.subarray(0, end);
      rest = rest.subarray(end + 1);
      if (skipped !== undefined || length + part.length > maxBytes) {
        yield* skip(part).tell();
        skipped = undefined;
      } else if (length === 0) {
        yield part;
      } else {
        hold(part);
        yield release();
      }
    }
    if (rest.length === 0) return;
    if (skipped === undefined && length + rest.length <= maxBytes) {
      hold(rest);
      return;
    }
    const line = skip(rest);
    // Its newline may never come.
    if (line.bytes > 2 * maxBytes) yield* line.tell();
  }

  return { push };
}
