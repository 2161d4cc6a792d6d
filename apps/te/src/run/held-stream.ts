import type { Writable } from "node:stream";
import { KeptOutput } from "@llmc/te-shell";
import { write, writeLast } from "./write.js";

/** Output above this is passed on as it comes. Handles are as large by default. */
export const LARGEST_HELD = 16 * 1024 * 1024;

/** One output stream of the command: held back until its end, or until it is released. */
export class HeldStream {
  readonly kept = new KeptOutput(LARGEST_HELD);
  /** Output of programs in the background, after the end of the command. */
  readonly #late: Buffer[] = [];
  readonly #target: () => Writable;
  #state: "held" | "settled" | "released" = "held";

  /** `target` is a function, because Node opens its own streams when they are first named. */
  constructor(target: () => Writable) {
    this.#target = target;
  }

  get isReleased(): boolean {
    return this.#state === "released";
  }

  /** Returns a promise as long as the reader of te has not taken the chunk. */
  take(chunk: Buffer): Promise<void> | undefined {
    if (this.#state === "released") return write(this.#target(), chunk);
    if (this.#state === "settled") this.#late.push(chunk);
    else this.kept.add(chunk);
    return undefined;
  }

  /** Keeps no more, because the command has ended. */
  settle(): void {
    this.#state = "settled";
  }

  /** Passes on all output that was held back and not printed, and from now on each chunk. */
  async release(): Promise<void> {
    if (this.isReleased) return;
    const waiting = this.#state === "held" ? this.kept.head() : Buffer.concat(this.#late);
    this.#state = "released";
    await write(this.#target(), waiting);
  }

  /** Prints all that is kept, or a text in its place. */
  async print(text: Uint8Array | string = this.kept.head()): Promise<void> {
    if (text.length > 0) await writeLast(this.#target(), text);
  }
}
