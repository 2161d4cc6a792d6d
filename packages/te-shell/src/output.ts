import type { Readable } from "node:stream";

type Verdict = void | "stop";
export type TakeChunk = (chunk: Buffer) => Verdict | Promise<Verdict>;

/** The first `max` bytes of a stream. One growing buffer: a list of a million tiny chunks would outweigh its bytes. */
export class Head {
  readonly #max: number;
  #buffer = Buffer.alloc(0);
  #kept = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(chunk: Buffer): void {
    const taken = Math.min(chunk.length, this.#max - this.#kept);
    if (taken === 0) return;
    this.#makeRoom(this.#kept + taken);
    chunk.copy(this.#buffer, this.#kept, 0, taken);
    this.#kept += taken;
  }

  get isFull(): boolean {
    return this.#kept === this.#max;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#kept);
  }

  #makeRoom(size: number): void {
    if (size <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.min(this.#max, Math.max(size, 2 * this.#buffer.length)));
    this.#buffer.copy(grown, 0, 0, this.#kept);
    this.#buffer = grown;
  }
}

/**
 * Reads one output stream, chunk after chunk: the next one is read when the last one has been taken, so that a slow
 * taker slows the program and not our memory. It iterates instead of listening to "data": Node resumes every paused
 * stream when the program exits, which would hand out chunks while the taker is still busy.
 */
export class OutputReader {
  readonly done: Promise<void>;
  total = 0;
  stopped = false;
  /** What the taker threw. */
  failure: { readonly cause: unknown } | undefined;
  /** Set while the taker works on a chunk; settles when it is through, never rejects. */
  busy: Promise<void> | undefined;
  finished = false;
  readonly #stream: Readable;

  constructor(stream: Readable, take: TakeChunk) {
    this.#stream = stream;
    this.done = this.#read(take).finally(() => {
      this.finished = true;
    });
  }

  /** Ends the reading; what the program has not printed yet is nobody's any more. */
  close(): void {
    this.#stream.destroy();
  }

  async #read(take: TakeChunk): Promise<void> {
    try {
      for await (const chunk of this.#stream as AsyncIterable<Buffer>) {
        this.total += chunk.length;
        this.stopped = (await this.#hand(chunk, take)) === "stop";
        if (this.stopped || this.failure !== undefined) return;
      }
    } catch {
      // A reset, or our own close(): for us the output ends here.
    }
  }

  async #hand(chunk: Buffer, take: TakeChunk): Promise<Verdict> {
    try {
      const verdict = take(chunk);
      if (!(verdict instanceof Promise)) return verdict;
      this.busy = verdict.then(
        () => undefined,
        () => undefined,
      );
      return await verdict;
    } catch (cause) {
      this.failure = { cause };
    } finally {
      this.busy = undefined;
    }
  }
}
