import { canonicalOf } from "./canonical.js";
import type { Changes } from "./changes.js";
import { forgivenIn, pairsOf, type Forgiven } from "./compare.js";
import { terminators, type LineRange } from "./lines.js";
import { matchesOf } from "./match.js";
import { refit, type RefitOptions } from "./refit.js";
import type { Normalize } from "./shape.js";
import { wantedOf } from "./wanted.js";

export interface NormalizedFind {
  readonly count: number;
  /** First places that match, and the lines of each place. */
  readonly starts: readonly number[];
  readonly ranges: readonly LineRange[];
  /** Forgiven differences, with their lines counted from 1. */
  forgiven(): ReadonlyMap<Forgiven, readonly number[]>;
  /** Replaces all places; undefined if the indentation of the new text cannot be told. */
  change(text: string, options: Omit<RefitOptions, "normalize">): Changes | undefined;
}

const NOWHERE: NormalizedFind = {
  count: 0,
  starts: [],
  ranges: [],
  forgiven: () => new Map(),
  change: () => undefined,
};

/** Where a block stands but for what is forgiven; up to `keep` places can be changed. */
export function findNormalized(units: string, block: string, normalize: Normalize, keep: number): NormalizedFind {
  const wanted = wantedOf(block, normalize);
  if (wanted === undefined) return NOWHERE;
  const canonical = canonicalOf(units, normalize);
  const { count, kept } = matchesOf(canonical, wanted, normalize, keep);
  const closed = wanted.lines.at(-1)?.raw === "";
  const taken = wanted.lines.length - (closed ? 1 : 0);
  return {
    count,
    starts: kept.map(({ from }) => from),
    ranges: kept.map(({ line }) => ({ first: line + 1, last: line + taken })),
    forgiven() {
      const forgiven = new Map<Forgiven, number[]>();
      for (const pair of kept.flatMap((match) => pairsOf(canonical, wanted, match)))
        note(forgiven, pair.line + 1, forgivenIn(pair, normalize));
      return forgiven;
    },
    change(text, options) {
      const terminatorAt = terminators(units);
      const texts: string[] = [];
      for (const match of kept) {
        const pairs = pairsOf(canonical, wanted, match);
        const atOpenEnd = closed && pairs.at(-1)?.there.ended === false;
        const place = { match, pairs, closed, atOpenEnd, terminator: terminatorAt(match.from) };
        const fitted = refit(text, place, { ...options, normalize });
        if (fitted === undefined) return undefined;
        texts.push(fitted);
      }
      return { froms: kept.map(({ from }) => from), tos: kept.map(({ to }) => to), texts };
    },
  };
}

function note(forgiven: Map<Forgiven, number[]>, line: number, kinds: readonly Forgiven[]): void {
  for (const kind of kinds) {
    const lines = forgiven.get(kind);
    if (lines === undefined) forgiven.set(kind, [line]);
    else if (lines.at(-1) !== line) lines.push(line);
  }
}
