import type { Bytes } from "@llmc/names";
import type { Kind } from "./filters.js";

/** A name that was found. */
export interface Match {
  readonly way: Bytes;
  readonly kind: Kind;
  /** The smaller, the better. */
  readonly rank: number;
  readonly size?: number | undefined;
  readonly mtimeMs?: number | undefined;
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
  #kept: Match[] = [];
  #bytes = 0;
  /** Nothing from here on is among the best. */
  #worst: Match | undefined;
  #total = 0;

  constructor(bounds: KeptBounds) {
    this.#bounds = bounds;
  }

  get total(): number {
    return this.#total;
  }

  add(match: Match): void {
    this.#total += 1;
    if (this.#worst !== undefined && inOrder(match, this.#worst) >= 0) return;
    this.#kept.push(match);
    this.#bytes += BYTES_BESIDE + match.way.length;
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
    let [bytes, count] = [0, 0];
    for (const { way } of sorted) {
      const more = bytes + BYTES_BESIDE + way.length;
      if (count === maxKept || more > maxKeptBytes) break;
      bytes = more;
      count += 1;
    }
    this.#worst = sorted[count] ?? this.#worst;
    this.#kept = sorted.slice(0, count);
    this.#bytes = bytes;
  }
}

/** The rank says it all but for names of the same kind and length. */
function inOrder(a: Match, b: Match): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  return a.way < b.way ? -1 : a.way > b.way ? 1 : 0;
}
