import { Worker } from "node:worker_threads";

/** A regular expression, and how it is meant. */
export interface Regex {
  readonly source: string;
  readonly flags: string;
}

/** Of each name that matches: which one it is, and from where to where. */
export type Spans = Int32Array;

export type Tested =
  | { readonly spans: Spans }
  /** It has hung at this name for longer than it may. */
  | { readonly slowAt: number }
  | { readonly failure: string };

/** Tries regular expressions on names, one batch after the other. */
export interface RegexThread {
  /** Ends with `undefined` when it is aborted; the thread is gone then, as it is after each answer but spans. */
  test(regex: Regex, names: readonly string[], signal: AbortSignal): Promise<Tested | undefined>;
  readonly isGone: boolean;
  end(): void;
}

// Plain JavaScript in a string, so that it runs the same from sources, from dist and from a bundle. No name holds a NUL.
const CODE = `
const { parentPort, workerData } = require("node:worker_threads");
const turn = new Int32Array(workerData);
parentPort.on("message", ({ source, flags, names, first }) => {
  try {
    const regex = new RegExp(source, flags);
    const spans = [];
    let at = 0;
    for (const name of names.split("\\0")) {
      Atomics.store(turn, 0, first + at);
      const found = regex.exec(name);
      if (found !== null) spans.push(at, found.index, found.index + found[0].length);
      at += 1;
    }
    parentPort.postMessage({ spans: Int32Array.from(spans) });
  } catch (thrown) {
    parentPort.postMessage({ failure: String(thrown.message) });
  }
});
`;

const TICK_MS = 50;
/** Where the thread's counter starts anew. */
const LAST_TURN = 2 ** 30;

export interface RegexThreadOptions {
  /** How long the thread may be at one name. */
  readonly slowNameMs: number;
}

export function startRegexThread({ slowNameMs }: RegexThreadOptions): RegexThread {
  const shared = new SharedArrayBuffer(4);
  const turn = new Int32Array(shared);
  const worker = new Worker(CODE, {
    eval: true,
    workerData: shared,
    // Nothing of the host program reaches the thread.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
  });
  worker.unref();
  let answer: ((tested: Tested | undefined) => void) | undefined;
  let gone = false;
  let next = 1;
  const settle = (tested: Tested | undefined): void => {
    answer?.(tested);
    answer = undefined;
  };
  const end = (): void => {
    gone = true;
    void worker.terminate();
  };
  worker.on("message", settle);
  worker.on("error", ({ message }) => {
    gone = true;
    settle({ failure: message });
  });
  worker.on("exit", () => {
    gone = true;
    settle({ failure: "The thread for regular expressions has ended" });
  });

  return {
    get isGone() {
      return gone;
    },
    end,
    async test(regex, names, signal) {
      if (signal.aborted) return undefined;
      const first = next;
      next = first + names.length > LAST_TURN ? 1 : first + names.length;
      const abort = (): void => settle(undefined);
      signal.addEventListener("abort", abort, { once: true });
      const watch = watchTurns(turn, slowNameMs, (at) => settle({ slowAt: at - first }));
      worker.ref();
      try {
        const tested = await new Promise<Tested | undefined>((resolve) => {
          answer = resolve;
          worker.postMessage({ ...regex, names: names.join("\0"), first }, []);
        });
        if (tested === undefined || !("spans" in tested)) end();
        return tested;
      } finally {
        clearInterval(watch);
        signal.removeEventListener("abort", abort);
        worker.unref();
      }
    },
  };
}

/**
 * Calls back once the counter stands still. Each tick counts for no more than itself: when this thread was held up, the
 * other one most likely was, too.
 */
function watchTurns(turn: Int32Array, slowNameMs: number, slow: (at: number) => void): NodeJS.Timeout {
  const before = Atomics.load(turn, 0);
  let [last, still] = [before, 0];
  return setInterval(() => {
    const now = Atomics.load(turn, 0);
    still = now === last && now !== before ? still + TICK_MS : 0;
    last = now;
    if (still >= slowNameMs) slow(now);
  }, TICK_MS);
}
