import type { Problems } from "./problems.js";

export interface ChannelOptions<Row> {
  /** For messages: "The audit database". */
  readonly name: string;
  readonly problems: Problems;
  readonly write: (rows: readonly Row[]) => Promise<void> | void;
  readonly writeSync: (rows: readonly Row[]) => void;
  readonly onLost: (rows: number) => void;
}

/** Rows on their way to a place that may fail: kept until it takes them, oldest given up first. */
export interface Channel<Row> {
  push(row: Row): void;
  /** Never rejects. `now` tries even where the last attempt failed a moment ago. */
  drain(options: { now: boolean }): Promise<void>;
  drainSync(): void;
  readonly pending: number;
}

const WAITING = 10_000;
const BATCH = 500;
const RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

export function createChannel<Row>(options: ChannelOptions<Row>): Channel<Row> {
  const { name, problems, write, writeSync, onLost } = options;
  let rows: Row[] = [];
  /** How many rows ever left the front of the queue, so that a batch in flight knows what is still there of it. */
  let left = 0;
  let lost = 0;
  let wait = RETRY_MS;
  let notBefore = 0;

  function push(row: Row): void {
    rows.push(row);
    if (rows.length <= WAITING) return;
    remove(left + 1);
    lost += 1;
    onLost(1);
  }

  function remove(upTo: number): void {
    if (upTo <= left) return;
    rows = rows.slice(upTo - left);
    left = upTo;
  }

  async function drain({ now }: { now: boolean }): Promise<void> {
    if (!now && performance.now() < notBefore) return;
    while (rows.length > 0) {
      const batch = rows.slice(0, BATCH);
      const end = left + batch.length;
      try {
        await write(batch);
      } catch (thrown) {
        return failed(thrown);
      }
      remove(end);
      succeeded();
    }
  }

  function drainSync(): void {
    if (rows.length === 0) return;
    try {
      writeSync(rows);
      remove(left + rows.length);
    } catch (thrown) {
      failed(thrown);
    }
  }

  function failed(thrown: unknown): void {
    notBefore = performance.now() + wait;
    wait = Math.min(wait * 2, LONGEST_RETRY_MS);
    problems.raise(
      name,
      `${name} does not take call records: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    );
  }

  function succeeded(): void {
    wait = RETRY_MS;
    notBefore = 0;
    problems.clear(name, `${name} takes call records again; ${lost === 0 ? "none was" : `${lost} were`} lost.`);
    lost = 0;
  }

  return {
    push,
    drain,
    drainSync,
    get pending() {
      return rows.length;
    },
  };
}
