import type { CallRow } from "../record/row.js";
import type { ToolStats } from "../record/stats.js";

export interface RecentCalls {
  readonly limit: number;
  readonly tool?: string | undefined;
}

export interface Retention {
  readonly rows: number;
  /** 0 keeps rows whatever their age. */
  readonly days: number;
}

/** The kept calls, in the server's database or in memory. */
export interface Calls {
  append(rows: readonly CallRow[]): Promise<void>;
  /** Newest first. */
  recent(query: RecentCalls): Promise<CallRow[]>;
  usage(): Promise<ToolStats[]>;
}

/** The call store of a backend, with a synchronous append for a crash, after which no promise settles. */
export interface KeptCalls {
  readonly calls: Calls;
  /** Appends before it returns, and does not retry on a lock. Throws if the rows are not written. */
  appendSync(rows: readonly CallRow[]): void;
}

/** Rows from before this moment have aged out. */
export function cutoff({ days }: Retention, now = Date.now()): string | null {
  return days === 0 ? null : new Date(now - days * 86_400_000).toISOString();
}
