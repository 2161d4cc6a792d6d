import type { Encoding } from "@llmc/patch";

/** A line that comes in pieces, or is too long to be kept: holds its first characters and counts the others. */
export interface LongLine {
  push(bytes: Buffer): void;
  /** Characters seen so far, as `String.length` counts them. */
  readonly chars: number;
  /** `ended`: a newline follows. */
  finish(ended: boolean): Line;
}

export interface Line {
  /** What is shown of it, without its terminator. */
  readonly text: string;
  /** All of its characters, without the terminator. */
  readonly chars: number;
  readonly terminator: "" | "\n" | "\r\n";
}

// Short strings are young when they die; long ones pile up until the next full collection.
const MORSEL = 32 * 1024;

export function startLongLine(encoding: Encoding, maxChars: number): LongLine {
  const decode = encoding.stream();
  let kept = "";
  let chars = 0;
  let last = "";
  const take = (text: string): void => {
    if (text === "") return;
    // One character more than is shown: it may be the \r of the terminator.
    if (kept.length <= maxChars) kept += text.slice(0, maxChars + 1 - kept.length);
    chars += text.length;
    last = text.at(-1) ?? last;
  };
  return {
    push(bytes) {
      for (let at = 0; at < bytes.length; at += MORSEL) take(decode(bytes.subarray(at, at + MORSEL)));
    },
    get chars() {
      return chars;
    },
    finish(ended) {
      take(decode(null));
      const terminator = ended ? (last === "\r" ? "\r\n" : "\n") : "";
      const length = terminator === "\r\n" ? chars - 1 : chars;
      return { text: kept.slice(0, Math.min(length, maxChars)), chars: length, terminator };
    },
  };
}
