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
  /** Also ends the wait at silence if the program never printed a prompt, because the caller named no time. */
  readonly endsAtQuiet?: boolean | undefined;
  /** Then nothing but this, the end of the program and of the time ends the wait. */
  readonly until?: Awaited | undefined;
  /** What is printed from there on counts; default: what nobody was given yet. */
  readonly from?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface WaitSources {
  readonly isTerminal: boolean;
  readonly isOver: () => boolean;
  /** Milliseconds since the last output or input. */
  readonly stillForMs: () => number;
}

const QUIET_MS = 300;
const SHORTEST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 250;
/** Factor of the rest after a look, because a look at many processes is expensive. */
const PAUSES_PER_LOOK = 20;
const CHEAP_MS = 1;
/** A text that is awaited may be torn by a look in the middle of it. */
const OVERLAP_BYTES = 4096;

/**
 * Waits in one call. Output triggers a look. A program is silent when it begins to wait for input, so further looks
 * follow in growing pauses.
 */
export class Wait {
  readonly done: Promise<Why>;
  readonly #options: WaitOptions & { readonly from: number };
  readonly #ring: OutputRing;
  readonly #readiness: Readiness;
  readonly #sources: WaitSources;
  #again: NodeJS.Timeout | undefined;
  #pauseMs = SHORTEST_PAUSE_MS;
  #tookMs = 0;
  #restsUntil = 0;
  #lookedTo: number;
  #isOver = false;
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
    const end = setTimeout(() => this.#timeUp(), options.ms);
    this.done = settled.finally(() => {
      this.#isOver = true;
      for (const timer of [end, this.#again]) clearTimeout(timer);
      options.signal?.removeEventListener("abort", onAbort);
    });
    options.signal?.addEventListener("abort", onAbort, { once: true });
    if (options.signal?.aborted === true) onAbort();
    this.look();
  }

  /** There is something new, or the program has ended. */
  look(): void {
    this.#pauseMs = SHORTEST_PAUSE_MS;
    // A line without a newline may be a prompt, so the next look is not delayed.
    if (this.#tookMs < CHEAP_MS && this.#readiness.isMidLine) this.#restsUntil = 0;
    this.#look();
  }

  #look(): void {
    try {
      const why = this.#why();
      if (why !== undefined) this.#finish(why);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #finish(why: Why): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (why === "prompt" || why === "input") this.#readiness.answered();
    this.#settle(why);
  }

  #why(): Why | undefined {
    if (this.#isOver) return undefined;
    const { until, from, endsAtQuiet } = this.#options;
    if (until !== undefined && this.#isMatched(until)) return "matched";
    if (this.#sources.isOver()) return "exit";
    const hasNews = this.#ring.total > from;
    if (until !== undefined || (!hasNews && !this.#readiness.isOwing)) return undefined;
    const rest = this.#restsUntil - performance.now();
    const left = rest > 0 ? rest : this.#askReadiness();
    if (typeof left === "string") return left;
    const quietIn = hasNews && endsAtQuiet === true && !this.#readiness.hasPrompted ? this.#leftOf(QUIET_MS) : Infinity;
    if (quietIn <= 0) return "quiet";
    this.#lookIn(Math.min(left, quietIn));
    return undefined;
  }

  /** Returns the reason to answer, or the milliseconds until the next look. */
  #askReadiness(): Why | number {
    const began = performance.now();
    const ready = this.#readiness.look();
    this.#tookMs = performance.now() - began;
    const restMs = PAUSES_PER_LOOK * this.#tookMs;
    this.#restsUntil = began + restMs;
    if (ready?.isSure === true) return ready.why;
    const pauseMs = Math.max(this.#pauseMs, restMs);
    this.#pauseMs = Math.min(2 * this.#pauseMs, LONGEST_PAUSE_MS);
    if (ready === undefined) return pauseMs;
    const stillIn = this.#leftOf(ready.stillMs);
    if (stillIn <= 0) this.#confirm(this.#ring.total);
    return Math.max(pauseMs, stillIn);
  }

  /** Looks again after a whole turn of the event loop, because all earlier output has arrived then. */
  #confirm(total: number): void {
    // The first immediate ends a turn whose events may have been collected before the look.
    setImmediate(() => setImmediate(() => this.#confirmed(total)));
  }

  #confirmed(total: number): void {
    if (this.#isOver || this.#sources.isOver() || this.#ring.total !== total) return;
    const why = this.#readiness.look()?.why;
    if (why !== undefined) this.#finish(why);
  }

  #leftOf(stillMs: number): number {
    return stillMs - this.#sources.stillForMs();
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#again);
    this.#again = setTimeout(() => this.#look(), Math.ceil(ms));
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
      this.#restsUntil = 0;
      this.look();
      this.#finish("timeout");
    });
  }
}
