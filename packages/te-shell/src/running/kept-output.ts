import { Head } from "@llmc/te-run";

/** Behind what is kept from the beginning: the end of a program's output tells what became of it. */
const TAIL_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** One stream of a command: its beginning and its end as bytes, and how much there was between them. */
export class KeptOutput {
  readonly #head: Head;
  readonly #max: number;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  total = 0;
  lines = 0;

  constructor(maxBytes: number) {
    this.#max = maxBytes;
    this.#head = new Head(maxBytes);
  }

  add(chunk: Buffer): void {
    const intoHead = Math.max(0, Math.min(chunk.length, this.#max - this.total));
    this.total += chunk.length;
    this.lines += countNewlines(chunk);
    this.#head.add(chunk);
    if (intoHead < chunk.length) this.#addToTail(chunk.subarray(intoHead));
  }

  head(): Buffer {
    return this.#head.bytes();
  }

  /** What came last; empty where the head has all. */
  tail(): Buffer {
    const all = Buffer.concat(this.#tail);
    return all.subarray(Math.max(0, all.length - TAIL_BYTES));
  }

  /** Bytes that are in neither. */
  get lost(): number {
    return this.total - this.head().length - this.tail().length;
  }

  #addToTail(chunk: Buffer): void {
    // A copy: a chunk is a piece of a larger buffer of the stream, which would live as long as it.
    this.#tail.push(Buffer.from(chunk));
    this.#tailBytes += chunk.length;
    if (this.#tailBytes < 2 * TAIL_BYTES) return;
    this.#tail = [Buffer.from(this.tail())];
    this.#tailBytes = this.#tail[0]?.length ?? 0;
  }
}

export function countNewlines(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
