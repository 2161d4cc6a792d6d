import { createHistogram, type Histogram } from "./histogram.js";
import { renderPrometheus } from "./prometheus.js";
import { OTHER, seriesOf, type Family, type Labels, type Series } from "./series.js";
import type { ToolStats } from "../record/stats.js";

/**
 * Counters and histograms of this process. Small and our own: prom-client adds 14 MB and 29 ms to each stdio server,
 * none of which serves /metrics.
 */
export interface Metrics {
  count(name: string, labels: Labels, by?: number): void;
  observe(name: string, labels: Labels, seconds: number): void;
  /** Reads a number whenever the metrics are read. */
  gauge(name: string, read: () => number): void;
  /** Calls of each tool since the start, most used first. */
  snapshot(): ToolStats[];
  /** The text exposition format, version 0.0.4. */
  prometheus(): string;
}

/** What the kernel of a call counts; the apps add their own names. */
export const CALLS = "llmc_tool_calls_total";
export const DURATION = "llmc_tool_duration_seconds";
export const TOKENS = "llmc_tool_tokens_total";
export const RESULT_BYTES = "llmc_tool_result_bytes_total";
export const TE_LATENCY = "llmc_te_latency_seconds";
export const LOST = "llmc_audit_lost_total";

export function createMetrics(): Metrics {
  const counters = new Map<string, Family<number>>();
  const histograms = new Map<string, Family<Histogram>>();
  const gauges = new Map<string, () => number>();

  return {
    count(name, labels, by = 1) {
      seriesOf(counters, name, labels, () => 0).value += by;
    },
    observe(name, labels, seconds) {
      seriesOf(histograms, name, labels, createHistogram).value.observe(seconds);
    },
    gauge: (name, read) => void gauges.set(name, read),
    snapshot: () => snapshotOf(counters, histograms),
    prometheus: () => renderPrometheus(counters, histograms, gauges),
  };
}

/** For `metrics_enabled = false`. */
export const noMetrics: Metrics = {
  count: () => {},
  observe: () => {},
  gauge: () => {},
  snapshot: () => [],
  prometheus: () => "",
};

function snapshotOf(counters: Map<string, Family<number>>, histograms: Map<string, Family<Histogram>>): ToolStats[] {
  const calls = [...(counters.get(CALLS)?.values() ?? [])];
  const tokens = [...(counters.get(TOKENS)?.values() ?? [])];
  const sum = (series: readonly Series<number>[]) => series.reduce((total, { value }) => total + value, 0);

  const stats = [...(histograms.get(DURATION)?.values() ?? [])].map(({ labels, value: latency }) => {
    const tool = labels["tool"] ?? OTHER;
    const mine = calls.filter((series) => series.labels["tool"] === tool);
    const spent = tokens.filter((series) => series.labels["tool"] === tool);
    const ms = (q: number) => round(latency.quantile(q) * 1000);
    return {
      tool,
      count: sum(mine),
      errors: errorsOf(mine),
      p50Ms: ms(0.5),
      p95Ms: ms(0.95),
      p99Ms: ms(0.99),
      tokensIn: sum(spent.filter((series) => series.labels["direction"] === "in")),
      tokensOut: sum(spent.filter((series) => series.labels["direction"] === "out")),
    };
  });
  return stats.toSorted((a, b) => b.count - a.count);
}

function errorsOf(calls: readonly Series<number>[]): Record<string, number> {
  const errors: Record<string, number> = {};
  for (const { labels, value } of calls) {
    const status = labels["status"] ?? OTHER;
    if (status !== "ok") errors[status] = (errors[status] ?? 0) + value;
  }
  return errors;
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
