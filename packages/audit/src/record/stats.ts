import { UNKNOWN_TOOL, type CallRow } from "./row.js";

export interface ToolStats {
  readonly tool: string;
  readonly count: number;
  /** By error code. */
  readonly errors: Readonly<Record<string, number>>;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
}

/** What the statistics need of a row. */
export type CountedRow = Pick<CallRow, "tool" | "status" | "durationMs" | "tokensIn" | "tokensOut">;

export interface Tally {
  add(row: CountedRow): void;
  /** Most used first. */
  stats(): ToolStats[];
}

interface Group {
  count: number;
  errors: Record<string, number>;
  durations: number[];
  tokensIn: number;
  tokensOut: number;
}

// The catalogue has some fifty tools; a database of another version may name others.
const TOOLS = 200;

/** Counts row by row, so that a large table can be read in pages. */
export function createTally(): Tally {
  const groups = new Map<string, Group>();

  function groupOf(tool: string): Group {
    const name = groups.has(tool) || groups.size < TOOLS ? tool : UNKNOWN_TOOL;
    let group = groups.get(name);
    if (group === undefined) {
      group = { count: 0, errors: {}, durations: [], tokensIn: 0, tokensOut: 0 };
      groups.set(name, group);
    }
    return group;
  }

  function add({ tool, status, durationMs, tokensIn, tokensOut }: CountedRow): void {
    const group = groupOf(tool);
    group.count += 1;
    if (status !== "ok") group.errors[status] = (group.errors[status] ?? 0) + 1;
    group.durations.push(durationMs);
    group.tokensIn += tokensIn;
    group.tokensOut += tokensOut;
  }

  function stats(): ToolStats[] {
    return [...groups]
      .map(([tool, { durations, ...group }]) => ({ tool, ...group, ...percentiles(durations) }))
      .toSorted((a, b) => b.count - a.count);
  }

  return { add, stats };
}

function percentiles(durations: readonly number[]): Pick<ToolStats, "p50Ms" | "p95Ms" | "p99Ms"> {
  const sorted = Float64Array.from(durations).sort();
  const at = (q: number) => sorted[Math.max(1, Math.ceil(q * sorted.length)) - 1] ?? 0;
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}
