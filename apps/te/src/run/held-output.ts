import type { TakeChunk } from "@llmc/te-run";
import { HeldStream, LARGEST_HELD } from "./held-stream.js";

/** Smaller outputs are never shortened. */
const SMALL = 1024;

export interface HeldOutputOptions {
  /** Passes on an output that grows too large to be held; of others only the beginning and the end are kept. */
  readonly isPassedOn: boolean;
  /** Called once, when the output may have to be shortened. */
  readonly onGrown: () => void;
}

/** Both output streams of a command. */
export class HeldOutput {
  readonly stdout = new HeldStream(() => process.stdout);
  readonly stderr = new HeldStream(() => process.stderr);
  readonly #options: HeldOutputOptions;

  constructor(options: HeldOutputOptions) {
    this.#options = options;
  }

  get isReleased(): boolean {
    return this.stdout.isReleased;
  }

  get isSmall(): boolean {
    return this.#bytes < SMALL;
  }

  /** Returns the taker for a stream's chunks. */
  taker(stream: HeldStream): TakeChunk {
    return (chunk) => {
      const isTooLarge = this.#options.isPassedOn && this.#bytes + chunk.length > LARGEST_HELD;
      if (isTooLarge && !stream.isReleased) return this.#release().then(() => stream.take(chunk));
      const wasSmall = this.isSmall;
      const taken = stream.take(chunk);
      if (wasSmall && !this.isSmall) this.#options.onGrown();
      return taken;
    };
  }

  settle(): void {
    this.stdout.settle();
    this.stderr.settle();
  }

  async #release(): Promise<void> {
    await Promise.all([this.stdout.release(), this.stderr.release()]);
  }

  get #bytes(): number {
    return this.stdout.kept.total + this.stderr.kept.total;
  }
}
