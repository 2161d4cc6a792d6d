import { CancelledError } from "@llmc/errors";
import { textOf } from "@llmc/te-run";
import type { OutputRing } from "./output-ring.js";
import type { Readiness } from "./readiness.js";
import type { Awaited } from "./wait-for.js";

/** Why an answer came when it did. */
export type Why =
  | "exit"
  /** What was awaited was printed. */
  | "matched"
  | "prompt"
  /** It waits for its input without a prompt. */
  | "input"
  /** It printed something and then nothing for a while. */
  | "quiet"
  | "timeout";

export interface WaitOptions {
  readonly ms: number;
  /** Then nothing but this, the end of the program and of the time ends the wait. */
  readonly until?: Awaited | undefined;
  /** What is printed from there on counts; default: what nobody was given yet. */
  readonly from?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface WaitSources {
  readonly isTerminal: boolean;
  readonly isOver: () => boolean;
  readonly quietForMs: () => number;
}

const QUIET_MS = 300;
/** A text that is awaited may be torn by a look in the middle of it. */
const OVERLAP_BYTES = 4096;

/** One call that waits. It looks when there is something to see, and when there has been nothing for a while. */
export class Wait {
  readonly done: Promise<Why>;
  readonly #options: WaitOptions & { readonly from: number };
  readonly #ring: OutputRing;
  readonly #readiness: Readiness;
  readonly #sources: WaitSources;
  readonly #timers: NodeJS.Timeout[] = [];
  #quiet: NodeJS.Timeout | undefined;
  #lookedTo: number;
  #settle: (why: Why) => void = () => undefined;
  #fail: (reason: unknown) => void = () => undefined;

  constructor(
    options: WaitOptions & { readonly from: number },
    ring: OutputRing,
    readiness: Readiness,
    sources: WaitSources,
  ) {
    this.#options = options;
    this.#ring = ring;
    this.#readiness = readiness;
    this.#sources = sources;
    this.#lookedTo = options.from;
    const onAbort = (): void => this.#fail(options.signal?.reason ?? new CancelledError("The wait"));
    const settled = new Promise<Why>((resolve, reject) => {
      this.#settle = resolve;
      this.#fail = reject;
    });
    this.done = settled.finally(() => {
      for (const timer of [...this.#timers, this.#quiet]) clearTimeout(timer);
      options.signal?.removeEventListener("abort", onAbort);
    });
    options.signal?.addEventListener("abort", onAbort, { once: true });
    if (options.signal?.aborted === true) onAbort();
    this.#timers.push(setTimeout(() => this.#timeUp(), options.ms));
    this.look();
  }

  /** There is something new, or the program has ended. */
  look(): void {
    try {
      const why = this.#why();
      if (why !== undefined) this.#settle(why);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #why(): Why | undefined {
    if (this.#options.until !== undefined) {
      if (this.#isMatched(this.#options.until)) return "matched";
      return this.#sources.isOver() ? "exit" : undefined;
    }
    if (this.#sources.isOver()) return "exit";
    if (this.#ring.total <= this.#options.from) return undefined;
    if (this.#readiness.isAtPrompt()) return "prompt";
    if (this.#readiness.isAtInput()) this.#confirm(this.#ring.total);
    return this.#whenQuiet();
  }

  /** What was printed before it began to wait is here after one more turn; then nothing new says that this was all. */
  #confirm(total: number): void {
    setImmediate(() => {
      if (this.#ring.total === total && this.#readiness.isAtInput()) this.#settle(this.#readiness.atRest());
    });
  }

  #whenQuiet(): Why | undefined {
    const left = QUIET_MS - this.#sources.quietForMs();
    if (left <= 0) return this.#readiness.atRest();
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.look(), Math.ceil(left));
    return undefined;
  }

  #isMatched(until: Awaited): boolean {
    const { from } = this.#options;
    if (this.#ring.total <= from) return false;
    const start = Math.max(from, this.#lookedTo - OVERLAP_BYTES);
    this.#lookedTo = this.#ring.total;
    const { bytes } = this.#ring.slice(start, this.#ring.total - start);
    return until.matches(textOf(bytes, { isRaw: false, isTerminal: this.#sources.isTerminal }));
  }

  /** On a busy machine a timer comes before the news that came in time: one turn for the news. */
  #timeUp(): void {
    setImmediate(() => {
      this.look();
      this.#settle("timeout");
    });
  }
}
