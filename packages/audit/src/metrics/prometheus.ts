import { BUCKETS, type Histogram } from "./histogram.js";
import type { Family, Labels } from "./series.js";

const HELP: Readonly<Record<string, string>> = {
  llmc_tool_calls_total: "Finished calls by tool, entry and status (ok or an error code).",
  llmc_tool_duration_seconds: "How long calls took.",
  llmc_tool_tokens_total: "Estimated tokens of arguments (in) and results (out).",
  llmc_tool_result_bytes_total: "Bytes of the results as text.",
  llmc_te_latency_seconds: "How long the envelope took to shorten an output, without the command, by mode.",
  llmc_audit_lost_total: "Call records that could not be kept.",
  llmc_http_requests_total: "Answered requests by route and status.",
  llmc_http_request_seconds: "How long requests took until their answer began.",
  llmc_auth_failures_total: "Requests without the right token.",
  llmc_rate_limit_drops_total: "Requests that were refused because their token had made too many.",
  llmc_sessions: "Open MCP sessions.",
  llmc_processes: "Managed processes that run.",
  llmc_resident_bytes: "Memory of the server.",
};
const QUANTILES = [0.5, 0.95, 0.99] as const;

export function renderPrometheus(
  counters: ReadonlyMap<string, Family<number>>,
  histograms: ReadonlyMap<string, Family<Histogram>>,
  gauges: ReadonlyMap<string, () => number>,
): string {
  const parts = [
    ...[...counters].map(([name, family]) => counterText(nameOf(name), family)),
    ...[...histograms].map(([name, family]) => histogramText(nameOf(name), family)),
    ...[...gauges].map(([name, read]) => head(nameOf(name), "gauge") + sample(nameOf(name), {}, read())),
  ];
  return parts.join("");
}

function counterText(name: string, family: Family<number>): string {
  const samples = [...family.values()].map(({ labels, value }) => sample(name, labels, value));
  return head(name, "counter") + samples.join("");
}

/** The quantiles are gauges of their own name: whoever reads with curl has no histogram_quantile(). */
function histogramText(name: string, family: Family<Histogram>): string {
  const series = [...family.values()];
  const buckets = series.flatMap(({ labels, value }) => [
    ...value
      .cumulative()
      .map((count, index) => sample(`${name}_bucket`, { ...labels, le: String(BUCKETS[index]) }, count)),
    sample(`${name}_bucket`, { ...labels, le: "+Inf" }, value.count),
    sample(`${name}_sum`, labels, value.sum),
    sample(`${name}_count`, labels, value.count),
  ]);
  const quantiles = series.flatMap(({ labels, value }) =>
    QUANTILES.map((q) => sample(`${name}_quantile`, { ...labels, quantile: String(q) }, value.quantile(q))),
  );
  return head(name, "histogram") + buckets.join("") + head(`${name}_quantile`, "gauge") + quantiles.join("");
}

function head(name: string, type: string): string {
  const help = HELP[name];
  return `${help === undefined ? "" : `# HELP ${name} ${help}\n`}# TYPE ${name} ${type}\n`;
}

function sample(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${nameOf(label)}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
}

function nameOf(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_]/g, "_").replace(/^(?=\d|$)/, "_");
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
