import { isOver, type Bounds } from "../handle/bounds.js";
import { shortName } from "../handle/id.js";
import type { Queries } from "./queries.js";

/** Rows that go in one transaction: more would hold the event loop and the write lock for too long. */
const BATCH = 64;

/** Makes room inside the caller's transaction. What goes leaves a tombstone: its owner is told that it was there. */
export class Room {
  readonly #queries: Queries;
  readonly #bounds: Bounds;

  constructor(queries: Queries, bounds: Bounds) {
    this.#queries = queries;
    this.#bounds = bounds;
  }

  /** Drops a batch of what aged out; the number that went. */
  expire(now: number): number {
    const rows = this.#queries.expired.all({ now, limit: BATCH });
    for (const row of rows) this.#drop(row);
    if (rows.length > 0) this.#queries.forgetOldest.run();
    return rows.length;
  }

  /** Drops the oldest until `more` bytes in one more handle fit; the number that went. */
  evictFor(more: number): number {
    let evicted = 0;
    while (isOver(this.#bounds, this.#held(), more)) {
      const gone = this.#evictSome(more);
      if (gone === 0) break;
      evicted += gone;
    }
    return evicted;
  }

  /** Drops a batch of the oldest while the store is over its limits; the number that went. */
  evict(): number {
    return isOver(this.#bounds, this.#held(), null) ? this.#evictSome(null) : 0;
  }

  #evictSome(more: number | null): number {
    let { handles, bytes } = this.#held();
    let evicted = 0;
    for (const row of this.#queries.oldest.all({ limit: BATCH })) {
      if (!isOver(this.#bounds, { handles, bytes }, more)) break;
      this.#drop(row);
      handles -= 1;
      bytes -= row.stored;
      evicted += 1;
    }
    if (evicted > 0) this.#queries.forgetOldest.run();
    return evicted;
  }

  #held(): { handles: number; bytes: number } {
    return this.#queries.totals.get() ?? { handles: 0, bytes: 0 };
  }

  #drop({ id, owner }: { id: string; owner: string }): void {
    this.#queries.delete.run({ id, owner });
    this.#queries.bury.run({ id, owner, short: shortName(id) });
  }
}
