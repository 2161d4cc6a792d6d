const EVERY_MS = 10_000;

/** Tells what long work does, now and then. */
export class Progress {
  readonly #tell: ((message: string) => void) | undefined;
  readonly #everyMs: number;
  #next: number;

  constructor(tell: ((message: string) => void) | undefined, everyMs = EVERY_MS) {
    this.#tell = tell;
    this.#everyMs = everyMs;
    this.#next = performance.now() + everyMs;
  }

  tick(message: () => string): void {
    if (this.#tell === undefined || performance.now() < this.#next) return;
    this.#next = performance.now() + this.#everyMs;
    this.#tell(message());
  }
}
