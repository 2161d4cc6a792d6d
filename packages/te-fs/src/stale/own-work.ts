/** File times come from a clock that stands still between two ticks of the kernel: they may be this much behind. */
const GRAIN_MS = 10;
/** Ours is cut to whole milliseconds. */
const CUT_MS = 1;
const MAX_SPANS = 1000;

interface Span {
  readonly from: number;
  readonly to: number;
}

/** When a session's own commands ran. */
export class OwnWork {
  readonly #running = new Set<{ readonly from: number }>();
  /** In the order in which they ended; none overlaps another. */
  #spans: Span[] = [];

  begin(): Disposable {
    const work = { from: Date.now() };
    this.#running.add(work);
    return {
      [Symbol.dispose]: () => {
        if (this.#running.delete(work)) this.#end(work.from, Date.now());
      },
    };
  }

  /** Whether a command may have made a change that has this time. */
  covers(timeNs: bigint): boolean {
    const time = Number(timeNs) / 1e6;
    for (const { from } of this.#running) if (time >= from - GRAIN_MS) return true;
    return this.#spans.some(({ from, to }) => time >= from - GRAIN_MS && time <= to + CUT_MS);
  }

  /** Clocks are set now and then, also backwards. */
  #end(begun: number, ended: number): void {
    let [from, to] = [Math.min(begun, ended), Math.max(begun, ended)];
    for (let last = this.#spans.at(-1); last !== undefined && from <= last.to + GRAIN_MS; last = this.#spans.at(-1)) {
      this.#spans.pop();
      [from, to] = [Math.min(from, last.from), Math.max(to, last.to)];
    }
    this.#spans.push({ from, to });
    // Only files that were read before so many commands, and changed by the first of them, are then taken for others' work.
    if (this.#spans.length > MAX_SPANS) this.#spans = this.#spans.slice(-MAX_SPANS / 2);
  }
}
