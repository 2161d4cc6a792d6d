/** Who can be told to stop printing for a while: the kernel lets the program wait in its write. */
export interface Source {
  pause(): void;
  resume(): void;
}

const WINDOW_MS = 50;
const AWAITED_BYTES = 8 * 1024 * 1024;
const UNREAD_BYTES = 1024 * 1024;

/**
 * Holds a flood to what can be read beside everything else. What prints steadily is never held: a server whose log nobody
 * reads goes on.
 */
export class Brake {
  readonly #source: Source;
  #taken = 0;
  #window: NodeJS.Timeout | undefined;
  #isHeld = false;

  constructor(source: Source) {
    this.#source = source;
  }

  get isHolding(): boolean {
    return this.#isHeld;
  }

  /** `isAwaited`: a call waits for this output. */
  took(bytes: number, isAwaited: boolean): void {
    this.#taken += bytes;
    this.#window ??= setTimeout(() => this.release(), WINDOW_MS).unref();
    if (this.#isHeld || this.#taken < (isAwaited ? AWAITED_BYTES : UNREAD_BYTES)) return;
    this.#isHeld = true;
    this.#source.pause();
  }

  /** Nothing is held any more. */
  release(): void {
    clearTimeout(this.#window);
    this.#window = undefined;
    this.#taken = 0;
    if (this.#isHeld) this.#source.resume();
    this.#isHeld = false;
  }
}
