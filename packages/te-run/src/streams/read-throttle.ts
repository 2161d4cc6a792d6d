import type { Readable } from "node:stream";

/** What Node reads a socket with. It is not in its documentation: pause() goes on reading until 64 KiB wait in our memory. */
interface Source {
  /** Whether the stream itself wants to be read just now. */
  reading: boolean;
  readStart(): number;
  readStop(): number;
}

/** A socket holds some 50 KiB of small pieces: where more than this has come at once, it may be full soon. */
const PLENTY_BYTES = 16 * 1024;
const GATHER_MS = 1;

/**
 * Lets what a program prints in a thousand small pieces gather in the kernel for a moment: each piece would wake us,
 * and on a machine of few cores that time is taken from the program. The first piece is read at once.
 */
export class Gathering {
  readonly #stream: Readable;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(stream: Readable) {
    this.#stream = stream;
  }

  /** Called when so many bytes have been read. */
  rest(bytes: number): void {
    if (this.#isOver || this.#timer !== undefined || bytes >= PLENTY_BYTES) return;
    const source = sourceOf(this.#stream);
    if (source?.reading !== true) return;
    source.readStop();
    this.#timer = setTimeout(() => this.#goOn(), GATHER_MS);
  }

  /** From now on nothing is waited for. */
  end(): void {
    this.#isOver = true;
    if (this.#timer !== undefined) this.#goOn();
  }

  #goOn(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const source = sourceOf(this.#stream);
    // Else the stream has too much already, and starts again by itself.
    if (source?.reading === true) source.readStart();
  }
}

/** Undefined where the stream is closed, or no socket. */
function sourceOf(stream: Readable): Source | undefined {
  const { _handle: source } = stream as { _handle?: Partial<Source> | null };
  if (typeof source?.readStart !== "function" || typeof source.readStop !== "function") return undefined;
  return source as Source;
}
