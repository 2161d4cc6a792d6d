export interface RingLimits {
  /** Of the very first output: how it began is kept, whatever comes after. */
  readonly headBytes: number;
  /** Of the latest output. */
  readonly tailBytes: number;
}

export interface RingSlice {
  readonly bytes: Buffer;
  /** Where the bytes stand in all that was printed. */
  readonly from: number;
  /** What would have stood before them and is gone. */
  readonly lost: number;
}

const FIRST_BYTES = 16 * 1024;

/** All that a program printed, by place: its beginning and its end; what lies between is counted when it is gone. */
export class OutputRing {
  readonly #limits: RingLimits;
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #total = 0;

  constructor(limits: RingLimits) {
    this.#limits = limits;
  }

  /** Bytes printed so far, kept or not. */
  get total(): number {
    return this.#total;
  }

  push(chunk: Buffer): void {
    const room = this.#limits.headBytes - this.#head.length;
    const first = room > 0 ? chunk.subarray(0, room) : chunk.subarray(0, 0);
    if (first.length > 0) this.#head = Buffer.concat([this.#head, first]);
    const rest = chunk.subarray(first.length);
    this.#total += first.length;
    if (rest.length > 0) this.#pushTail(rest);
  }

  /** What stands from there on, in one piece, at most so much of it. */
  slice(from: number, maxBytes: number): RingSlice {
    const start = Math.max(0, Math.min(from, this.#total));
    if (start < this.#head.length) {
      const bytes = Buffer.from(this.#head.subarray(start, start + maxBytes));
      const more = maxBytes - bytes.length;
      // Nothing is missing between head and tail as long as the tail has all the rest.
      if (more === 0 || this.#oldest() > this.#head.length) return { bytes, from: start, lost: 0 };
      return { bytes: Buffer.concat([bytes, this.#readTail(this.#head.length, more)]), from: start, lost: 0 };
    }
    const kept = Math.max(start, this.#oldest());
    return { bytes: this.#readTail(kept, maxBytes), from: kept, lost: kept - start };
  }

  /** The first byte that the tail still has. */
  #oldest(): number {
    return Math.max(this.#head.length, this.#total - this.#tail.length);
  }

  /** The place of a byte is its number, so that nothing is moved when there is more. */
  #pushTail(rest: Buffer): void {
    const behindHead = this.#total - this.#head.length;
    const needed = Math.min(behindHead + rest.length, this.#limits.tailBytes);
    if (needed > this.#tail.length) this.#grow(needed);
    const size = this.#tail.length;
    const kept = rest.subarray(Math.max(0, rest.length - size));
    const at = (behindHead + rest.length - kept.length) % size;
    const first = kept.subarray(0, size - at);
    first.copy(this.#tail, at);
    kept.copy(this.#tail, 0, first.length);
    this.#total += rest.length;
  }

  #grow(needed: number): void {
    const before = this.#readTail(this.#oldest(), this.#tail.length);
    const start = this.#total - this.#head.length - before.length;
    let size = Math.max(FIRST_BYTES, this.#tail.length);
    while (size < needed) size *= 2;
    this.#tail = Buffer.alloc(Math.min(size, this.#limits.tailBytes));
    for (let done = 0; done < before.length;) {
      const at = (start + done) % this.#tail.length;
      done += before.copy(this.#tail, at, done, done + this.#tail.length - at);
    }
  }

  #readTail(from: number, maxBytes: number): Buffer {
    const length = Math.min(maxBytes, this.#total - from);
    if (length <= 0 || this.#tail.length === 0) return Buffer.alloc(0);
    const at = (from - this.#head.length) % this.#tail.length;
    const first = this.#tail.subarray(at, Math.min(at + length, this.#tail.length));
    return Buffer.concat([first, this.#tail.subarray(0, length - first.length)]);
  }
}
