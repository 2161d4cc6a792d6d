import type { Readable } from "node:stream";
import { ReadThrottle } from "./read-throttle.js";

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
 * taker slows the program and not our memory. Node resumes every paused stream when the program exits: what it then hands
 * out while the taker is busy (no more than the pipe held) waits here.
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
  #take: TakeChunk;
  readonly #throttle: ReadThrottle | undefined;
  #waiting: Buffer[] = [];
  /** Nothing more will come. */
  #isOver = false;
  #finish: () => void = () => undefined;

  constructor(stream: Readable, take: TakeChunk, isThrottled = false) {
    this.#stream = stream;
    this.#take = take;
    this.#throttle = isThrottled ? new ReadThrottle(stream) : undefined;
    this.done = new Promise((resolve) => (this.#finish = resolve));
    // A reset, or our own close(): for us the output ends here.
    for (const event of ["end", "close", "error"]) stream.once(event, () => this.#over());
    stream.on("error", () => undefined);
    if (stream.destroyed) this.#over();
    // Events, not iteration: an engine prints a thousand small chunks, and each would cost some promises.
    else stream.on("data", (chunk: Buffer) => this.#arrived(chunk));
  }

  /** The program has ended: what it has printed is read without a pause. */
  hurry(): void {
    this.#throttle?.end();
  }

  /** Ends the reading; what the program has not printed yet is nobody's any more. */
  close(): void {
    this.hurry();
    this.#isOver = true;
    this.#waiting = [];
    this.#stream.destroy();
    // Node keeps the stream until its next full collection, and with it whatever the taker has at hand.
    this.#take = () => undefined;
  }

  #over(): void {
    this.#isOver = true;
    if (this.busy === undefined) this.#goOn();
  }

  #arrived(chunk: Buffer): void {
    if (this.#isOver) return;
    this.#throttle?.pauseAfter(chunk.length);
    this.#waiting.push(chunk);
    if (this.busy === undefined) this.#goOn();
  }

  #goOn(): void {
    for (let chunk = this.#waiting.shift(); chunk !== undefined; chunk = this.#waiting.shift()) {
      this.total += chunk.length;
      this.#hand(chunk);
      if (this.busy !== undefined) {
        this.#stream.pause();
        return;
      }
      if (this.stopped || this.failure !== undefined) {
        this.#end();
        return;
      }
    }
    if (this.#isOver) this.#end();
    else if (this.#stream.isPaused()) this.#stream.resume();
  }

  #hand(chunk: Buffer): void {
    try {
      const verdict = this.#take(chunk);
      if (verdict instanceof Promise) this.busy = this.#taken(verdict);
      else this.stopped = verdict === "stop";
    } catch (cause) {
      this.failure = { cause };
    }
  }

  async #taken(verdict: Promise<Verdict>): Promise<void> {
    try {
      this.stopped = (await verdict) === "stop";
    } catch (cause) {
      this.failure = { cause };
    }
    this.busy = undefined;
    if (this.stopped || this.failure !== undefined) this.#end();
    else this.#goOn();
  }

  #end(): void {
    this.finished = true;
    this.#waiting = [];
    this.#stream.destroy();
    this.#finish();
  }
}
