import type { HitFile } from "@llmc/te-search";
import { sum, type Prices } from "./cost.js";
import { numbersOf, windowOf, type Width } from "./lines.js";
import type { Candidate } from "./pick.js";

/** What a page has room for, and what the lines around hits have cost so far. */
export interface Spending {
  readonly tokensLeft: number;
  readonly around: { readonly tokens: number; readonly lines: number };
}

/** So many tell about how long the lines around hits are. */
export const SAMPLE = 8;

/** Whether all will fit, told before all is read. Better to read a little in vain than to show less than fits. */
export class Outlook {
  readonly #tokens: number;
  /** What the hits themselves cost from each one on, and how many lines around them are new. */
  readonly #own: readonly number[];
  readonly #fresh: readonly number[];
  /** Before any is read: they are about as long as the hits are. */
  readonly #guess: number;

  constructor(
    candidates: readonly Candidate[],
    widthOf: (candidate: Candidate) => Width,
    { tokens, prices }: { readonly tokens: number; readonly prices: Prices },
  ) {
    const seen = new Map<HitFile, Set<number>>();
    const costs = candidates.map((candidate) => {
      const { file, hit } = candidate;
      const { tokens: line } = prices.ofHit(hit);
      const own = seen.has(file) ? line : line + prices.ofName(file).tokens;
      return { own, line, fresh: addTo(seen, file, numbersOf(windowOf(hit, widthOf(candidate)))) - 1 };
    });
    this.#tokens = tokens;
    this.#own = fromEach(costs.map(({ own }) => own));
    this.#fresh = fromEach(costs.map(({ fresh }) => Math.max(0, fresh)));
    this.#guess = sum(costs.map(({ line }) => line)) / Math.max(1, costs.length);
  }

  isHopeless(from: number, page?: Spending): boolean {
    const { tokens, lines } = page?.around ?? { tokens: 0, lines: 0 };
    const line = lines === 0 ? this.#guess * GUESS : (tokens / lines) * CAUTION;
    const left = page?.tokensLeft ?? this.#tokens;
    return (this.#own[from] ?? 0) + (this.#fresh[from] ?? 0) * line > left;
  }
}

const GUESS = 0.5;
const CAUTION = 0.8;

/** How many of the numbers are new to the file. */
function addTo(seen: Map<HitFile, Set<number>>, file: HitFile, numbers: readonly number[]): number {
  const known = seen.get(file) ?? new Set();
  const before = known.size;
  for (const number of numbers) known.add(number);
  seen.set(file, known);
  return known.size - before;
}

function fromEach(amounts: readonly number[]): number[] {
  let left = sum(amounts);
  return amounts.map((amount) => {
    const here = left;
    left -= amount;
    return here;
  });
}
