import type { CallRecord } from "@llmc/toolkit";
import { CALLS, DURATION, LOST, RESULT_BYTES, TE_LATENCY, TOKENS, type Metrics } from "./metrics.js";
import { toolOf, type CallRow } from "../record/row.js";

/** What is counted of each call, and of records that could not be kept. */
export interface CallMetrics {
  /** On the call's path: two additions. */
  call(record: CallRecord): void;
  sizes(row: CallRow): void;
  lost(place: "intake" | "database" | "telemetry" | "csv", records: number): void;
}

export function createCallMetrics(metrics: Metrics): CallMetrics {
  return {
    call(record) {
      const tool = toolOf(record);
      metrics.count(CALLS, { tool, entry: record.entry, status: record.status });
      metrics.observe(DURATION, { tool }, record.durationMs / 1000);
      if (record.envelope === null) return;
      metrics.observe(TE_LATENCY, { mode: record.envelope.mode }, record.envelope.shorteningMs / 1000);
    },
    sizes({ tool, tokensIn, tokensOut, bytesOut }) {
      metrics.count(TOKENS, { tool, direction: "in" }, tokensIn);
      metrics.count(TOKENS, { tool, direction: "out" }, tokensOut);
      metrics.count(RESULT_BYTES, { tool }, bytesOut);
    },
    lost: (place, records) => metrics.count(LOST, { place }, records),
  };
}
