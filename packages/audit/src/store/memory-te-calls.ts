import type { Miss } from "../record/misses.js";
import { createSavingsTally } from "../record/savings.js";
import type { TeRow } from "../record/te-row.js";
import { cutoff, type Retention } from "./calls.js";
import { handleName, handleNames, isMiss, type TeCalls, type TeEvent } from "./te-calls.js";

// A row is about a kilobyte: what a database may keep is too much for memory.
const ROWS = 5_000;

export function memoryTeCalls(retention: Retention): TeCalls {
  const most = Math.min(ROWS, retention.rows);
  let kept: TeRow[] = [];

  function appendSync(events: readonly TeEvent[]): void {
    for (const event of events) {
      if (isMiss(event)) mark(event);
      else kept.push(event);
    }
    const oldest = cutoff(retention);
    kept = kept.slice(-most).filter(({ timestamp }) => oldest === null || timestamp >= oldest);
  }

  function mark(miss: Miss): void {
    const at = kept.findLastIndex((row) => isOf(miss, row));
    const row = kept[at];
    if (row?.missed === null) kept[at] = { ...row, missed: miss.missed };
  }

  async function savings() {
    const tally = createSavingsTally();
    for (const row of kept) tally.add(row);
    return tally.savings();
  }

  return { append: async (events) => appendSync(events), appendSync, savings };
}

function isOf(miss: Miss, row: TeRow): boolean {
  if (miss.missed === "rerun") return row.session === miss.session && row.command === miss.command;
  return handleNames(row)?.includes(handleName(miss.handle)) === true;
}
