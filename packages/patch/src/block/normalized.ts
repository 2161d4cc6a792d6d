import { canonicalOf } from "./canonical.js";
import type { Changes } from "./changes.js";
import { forgivenIn, pairsOf, type Forgiven } from "./compare.js";
import { terminators } from "./lines.js";
import { matchesOf } from "./match.js";
import { refit } from "./refit.js";
import type { Spend } from "./limits.js";
import type { Normalize } from "./shape.js";
import { wantedOf } from "./wanted.js";

export interface NormalizedFind {
  readonly count: number;
  /** The first places. */
  readonly starts: readonly number[];
  /** All of them, replaced. */
  change(text: string, spend: Spend): NormalizedChange;
}

export interface NormalizedChange {
  readonly changes: Changes;
  /** What was forgiven, and in which lines, from 1. */
  readonly forgiven: ReadonlyMap<Forgiven, readonly number[]>;
}

/** Where a block stands but for what is forgiven; up to `keep` places can be changed. */
export function findNormalized(units: string, block: string, normalize: Normalize, keep: number): NormalizedFind {
  const wanted = wantedOf(block, normalize);
  if (wanted === undefined) return { count: 0, starts: [], change: () => nothing() };
  const canonical = canonicalOf(units, normalize);
  const { count, kept } = matchesOf(canonical, wanted, normalize, keep);
  const closed = wanted.lines.at(-1)?.raw === "";
  return {
    count,
    starts: kept.map(({ from }) => from),
    change(text, spend) {
      const forgiven = new Map<Forgiven, number[]>();
      const terminatorAt = terminators(units);
      const texts = kept.map((match) => {
        const pairs = pairsOf(canonical, wanted, match);
        for (const pair of pairs) note(forgiven, pair.line + 1, forgivenIn(pair, normalize));
        const atOpenEnd = closed && pairs.at(-1)?.there.ended === false;
        const place = { match, pairs, closed, atOpenEnd, terminator: terminatorAt(match.from) };
        return refit(text, place, { normalize, spend });
      });
      const froms = kept.map(({ from }) => from);
      const tos = kept.map(({ to }) => to);
      return { changes: { froms, tos, texts }, forgiven };
    },
  };
}

function nothing(): NormalizedChange {
  return { changes: { froms: [], tos: [], texts: [] }, forgiven: new Map() };
}

function note(forgiven: Map<Forgiven, number[]>, line: number, kinds: readonly Forgiven[]): void {
  for (const kind of kinds) {
    const lines = forgiven.get(kind);
    if (lines === undefined) forgiven.set(kind, [line]);
    else if (lines.at(-1) !== line) lines.push(line);
  }
}
