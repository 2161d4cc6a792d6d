import { textOf, wholeBytes } from "@llmc/te-run";
import type { OutputRing } from "./output-ring.js";

export interface TakeOptions {
  /** Where to begin; below 0: so many bytes from the end. Default: where the last answer ended. */
  readonly since?: number | undefined;
  readonly maxBytes: number;
  /** Whether so much text is what an answer may hold. */
  readonly fits?: ((text: string) => boolean) | undefined;
  readonly isRaw?: boolean | undefined;
  /** What was just sent, which a terminal shows first. */
  readonly echoOf?: string | undefined;
}

export interface Taken {
  readonly text: string;
  /** Where the next answer begins. */
  readonly next: number;
  /** Bytes before the text that are gone. */
  readonly lost: number;
}

interface TakeSources {
  readonly from: number;
  readonly isOver: boolean;
  readonly isTerminal: boolean;
}

const LEAST_BYTES = 256;

/** A piece of the output that an answer can hold, torn neither in a character nor in an escape sequence. */
export function take(ring: OutputRing, options: TakeOptions & TakeSources): Taken {
  const { since, from, maxBytes, fits = () => true, isRaw = false, isTerminal, isOver, echoOf } = options;
  const start = since === undefined ? from : since < 0 ? Math.max(0, ring.total + since) : since;
  for (let bytes = maxBytes; ; bytes = Math.floor(bytes / 2)) {
    const slice = ring.slice(start, bytes);
    const isLast = slice.from + slice.bytes.length === ring.total;
    const length = isLast && isOver ? slice.bytes.length : cutAt(slice.bytes, isLast, { isRaw, isTerminal });
    const text = textOf(slice.bytes.subarray(0, length), { isRaw, isTerminal });
    if (bytes > LEAST_BYTES && !fits(text)) continue;
    const shown = isTerminal && !isRaw ? withoutEcho(text, echoOf) : text;
    return { text: shown, next: slice.from + length, lost: slice.lost };
  }
}

function cutAt(bytes: Buffer, isLast: boolean, options: { isRaw: boolean; isTerminal: boolean }): number {
  const whole = wholeBytes(bytes, options);
  if (isLast) return whole;
  // More follows: the answer ends with a line where there is one to end with.
  const line = bytes.lastIndexOf(0x0a) + 1;
  if (line > bytes.length / 2) return line;
  return whole === 0 ? bytes.length : whole;
}

/** A terminal repeats what is typed. Taken away only where it stands there to the letter. */
function withoutEcho(text: string, sent: string | undefined): string {
  const line = sent?.replace(/\n$/, "");
  if (line === undefined || line === "" || line.includes("\n")) return text;
  return text.startsWith(`${line}\n`) ? text.slice(line.length + 1) : text;
}
