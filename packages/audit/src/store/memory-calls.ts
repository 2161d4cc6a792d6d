import { cutoff, type KeptCalls, type RecentCalls, type Retention } from "./calls.js";
import type { CallRow } from "../record/row.js";
import { createTally } from "../record/stats.js";

// A row is about a kilobyte: what a database may keep is too much for memory.
const ROWS = 5_000;

export function memoryCalls(retention: Retention): KeptCalls {
  const most = Math.min(ROWS, retention.rows);
  let kept: CallRow[] = [];

  function appendSync(rows: readonly CallRow[]): void {
    kept = [...kept, ...rows].slice(-most);
    const oldest = cutoff(retention);
    if (oldest !== null) kept = kept.filter((row) => row.timestamp >= oldest);
  }

  async function recent({ limit, tool }: RecentCalls): Promise<CallRow[]> {
    return kept
      .filter((row) => tool === undefined || row.tool === tool)
      .toReversed()
      .slice(0, limit);
  }

  async function usage() {
    const tally = createTally();
    for (const row of kept) tally.add(row);
    return tally.stats();
  }

  return { calls: { append: async (rows) => appendSync(rows), recent, usage }, appendSync };
}
