import type { Bytes } from "../files.js";
import type { Kind } from "./filters.js";

/** A name that was found. */
export interface Match {
  readonly way: Bytes;
  readonly kind: Kind;
  readonly size?: number | undefined;
  readonly mtimeMs?: number | undefined;
}

interface Ranked extends Match {
  readonly rank: number;
}

export interface KeptBounds {
  readonly maxKept: number;
  readonly maxKeptBytes: number;
}

/** What a match takes beside its path, here and as it is told. */
const BYTES_BESIDE = 160;

/** Counts all matches, and keeps the best that there is room for. */
export class Kept {
  readonly #bounds: KeptBounds;
  #kept: Ranked[] = [];
  #bytes = 0;
  /** Nothing from here on is among the best. */
  #worst: Ranked | undefined;
  #total = 0;

  constructor(bounds: KeptBounds) {
    this.#bounds = bounds;
  }

  get total(): number {
    return this.#total;
  }

  add(match: Match, rank: number): void {
    this.#total += 1;
    const ranked = { ...match, rank };
    if (this.#worst !== undefined && inOrder(ranked, this.#worst) >= 0) return;
    this.#kept.push(ranked);
    this.#bytes += bytesOf(ranked);
    // Twice as much as is kept, so that sorting comes seldom.
    if (this.#kept.length > 2 * this.#bounds.maxKept || this.#bytes > 2 * this.#bounds.maxKeptBytes) this.#prune();
  }

  /** Best first. */
  best(): readonly Match[] {
    this.#prune();
    return this.#kept;
  }

  #prune(): void {
    const sorted = this.#kept.toSorted(inOrder);
    const { maxKept, maxKeptBytes } = this.#bounds;
    let bytes = 0;
    let count = 0;
    for (const match of sorted) {
      if (count === maxKept || bytes + bytesOf(match) > maxKeptBytes) break;
      bytes += bytesOf(match);
      count += 1;
    }
    this.#worst = sorted[count] ?? this.#worst;
    this.#kept = sorted.slice(0, count);
    this.#bytes = bytes;
  }
}

function bytesOf({ way }: Match): number {
  return BYTES_BESIDE + way.length;
}

/** The rank says it all but for names of the same kind and length. */
function inOrder(a: Ranked, b: Ranked): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  return a.way < b.way ? -1 : a.way > b.way ? 1 : 0;
}
