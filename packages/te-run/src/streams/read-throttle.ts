import type { Readable } from "node:stream";

/** Node's undocumented handle of a socket, used because pause() reads on until 64 KiB wait in memory. */
interface Source {
  /** Whether the stream itself wants to be read now. */
  reading: boolean;
  readStart(): number;
  readStop(): number;
}

/** A socket takes some 50 KiB of small pieces, so a socket that gave more than this at once may soon be full. */
const PLENTY_BYTES = 16 * 1024;
const PAUSE_MS = 1;

/**
 * Pauses reading for a millisecond, so that small pieces of output collect in the kernel. Each piece would wake this
 * process, and on a machine of few cores the program loses that time. The first piece is read at once.
 */
export class ReadThrottle {
  readonly #stream: Readable;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(stream: Readable) {
    this.#stream = stream;
  }

  /** Pauses after a read of `bytes`, unless the read was large. */
  pauseAfter(bytes: number): void {
    if (this.#isOver || this.#timer !== undefined || bytes >= PLENTY_BYTES) return;
    const source = sourceOf(this.#stream);
    if (source?.reading !== true) return;
    source.readStop();
    this.#timer = setTimeout(() => this.#resume(), PAUSE_MS);
  }

  /** Resumes reading, and pauses no more. */
  end(): void {
    this.#isOver = true;
    if (this.#timer !== undefined) this.#resume();
  }

  #resume(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const source = sourceOf(this.#stream);
    // A stream with a full buffer resumes by itself.
    if (source?.reading === true) source.readStart();
  }
}

/** Returns undefined for a closed stream and for a stream that is not a socket. */
function sourceOf(stream: Readable): Source | undefined {
  const { _handle: source } = stream as { _handle?: Partial<Source> | null };
  if (typeof source?.readStart !== "function" || typeof source.readStop !== "function") return undefined;
  return source as Source;
}
