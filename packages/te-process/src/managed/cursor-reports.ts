import type { OutputRing } from "./output-ring.js";
import { drawScreen } from "./screen.js";

export interface CursorSources {
  readonly ring: OutputRing;
  readonly size: () => { readonly cols: number; readonly rows: number };
  readonly send: (bytes: Buffer) => void;
}

const QUESTION = "\u001b[6n";
/** Bytes that exceed the output on any screen. */
const SCREEN_BYTES = 64 * 1024;

/** Answers programs that ask for the cursor position of their terminal, because line editors wait for that answer. */
export class CursorReports {
  readonly #sources: CursorSources;
  #pending = 0;
  #last = Promise.resolve();

  constructor(sources: CursorSources) {
    this.#sources = sources;
  }

  /** Tells whether a program waits for an answer. */
  get isPending(): boolean {
    return this.#pending > 0;
  }

  /** Takes note of the last bytes printed. */
  took(bytes: number): void {
    const { ring } = this.#sources;
    const from = ring.total - bytes - (QUESTION.length - 1);
    const text = ring.slice(from, ring.total).bytes.toString("latin1");
    for (let at = text.indexOf(QUESTION); at >= 0; at = text.indexOf(QUESTION, at + 1)) {
      const to = Math.max(0, from) + at + QUESTION.length;
      this.#pending += 1;
      this.#last = this.#last.then(() => this.#report(to));
    }
  }

  async #report(to: number): Promise<void> {
    const { ring, size, send } = this.#sources;
    const from = Math.max(0, to - SCREEN_BYTES);
    const { cursor } = await drawScreen(ring.slice(from, to - from).bytes, size());
    this.#pending -= 1;
    send(Buffer.from(`\u001b[${cursor.row};${cursor.col}R`));
  }
}
