import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMetrics, noMetrics } from "../../src/metrics/metrics.js";
import { parsePrometheus } from "../parse-prometheus.js";

describe("Prometheus text", () => {
  test("shows counters with their type, help and labels", () => {
    const metrics = createMetrics();
    metrics.count("llmc_tool_calls_total", { tool: "health", entry: "rest", status: "ok" });
    metrics.count("llmc_tool_calls_total", { tool: "health", entry: "rest", status: "ok" }, 2);
    metrics.count("llmc_http_auth_failures_total", {});

    expect(metrics.prometheus()).toBe(
      [
        "# HELP llmc_tool_calls_total Finished calls by tool, entry and status (ok or an error code).",
        "# TYPE llmc_tool_calls_total counter",
        'llmc_tool_calls_total{tool="health",entry="rest",status="ok"} 3',
        "# TYPE llmc_http_auth_failures_total counter",
        "llmc_http_auth_failures_total 1",
        "",
      ].join("\n"),
    );
  });

  test("shows a histogram with cumulative buckets, sum and count, and its quantiles as gauges", () => {
    const metrics = createMetrics();
    for (const seconds of [0.001, 0.004, 0.2, 400]) metrics.observe("x_seconds", { route: "/tool" }, seconds);

    const { types, samples } = parsePrometheus(metrics.prometheus());

    expect(types).toEqual({ x_seconds: "histogram", x_seconds_quantile: "gauge" });
    const buckets = samples.filter(({ name }) => name === "x_seconds_bucket");
    expect(buckets.map(({ labels, value }) => [labels["le"], value])).toEqual([
      ["0.001", 1],
      ["0.0025", 1],
      ["0.005", 2],
      ["0.01", 2],
      ["0.025", 2],
      ["0.05", 2],
      ["0.1", 2],
      ["0.25", 3],
      ["0.5", 3],
      ["1", 3],
      ["2.5", 3],
      ["5", 3],
      ["10", 3],
      ["30", 3],
      ["60", 3],
      ["300", 3],
      ["+Inf", 4],
    ]);
    expect(samples.filter(({ name }) => name === "x_seconds_sum" || name === "x_seconds_count")).toEqual([
      { name: "x_seconds_sum", labels: { route: "/tool" }, value: 400.205 },
      { name: "x_seconds_count", labels: { route: "/tool" }, value: 4 },
    ]);
    expect(samples.filter(({ name }) => name === "x_seconds_quantile").map(({ labels }) => labels["quantile"])).toEqual(
      ["0.5", "0.95", "0.99"],
    );
  });

  test("is empty where nothing was counted", () => {
    expect(createMetrics().prometheus()).toBe("");
  });

  test("stays valid whatever names, labels and values are given", () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
        fc.constantFrom('"', "\\", "\n", "{", "}", ",", "="),
      ),
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 8 }), text, (series, name) => {
        const metrics = createMetrics();
        for (const [route, status] of series) {
          metrics.count(`c_${name}`, { route, status });
          metrics.observe(`h_${name}`, { route, [`_${status}`]: "x" }, 0.5);
        }
        const { samples } = parsePrometheus(metrics.prometheus());
        const counted = samples.filter((sample) => sample.name.startsWith("c_")).map(({ labels }) => labels);
        const distinct = new Map(series.map((pair) => [JSON.stringify(pair), { route: pair[0], status: pair[1] }]));
        expect(counted).toEqual([...distinct.values()]);
      }),
    );
  });

  test("grows no further than a bound, and still counts all", () => {
    const metrics = createMetrics();
    for (let n = 0; n < 5_000; n += 1) {
      metrics.count("c_total", { route: `/${n}`, method: "GET" });
      metrics.observe("h_seconds", { route: `/${n}` }, 0.1);
    }

    const { samples } = parsePrometheus(metrics.prometheus());
    const counters = samples.filter(({ name }) => name === "c_total");

    expect(counters).toHaveLength(501);
    expect(counters.at(-1)).toEqual({ name: "c_total", labels: { route: "other", method: "other" }, value: 4_500 });
    expect(samples.filter(({ name }) => name === "h_seconds_count")).toHaveLength(501);
  });
});

describe("the snapshot", () => {
  test("sums up each tool over entries and statuses, most used first", () => {
    const metrics = createMetrics();
    const call = (tool: string, entry: string, status: string, seconds: number) => {
      metrics.count("llmc_tool_calls_total", { tool, entry, status });
      metrics.observe("llmc_tool_duration_seconds", { tool }, seconds);
      metrics.count("llmc_tool_tokens_total", { tool, direction: "in" }, 5);
      metrics.count("llmc_tool_tokens_total", { tool, direction: "out" }, 7);
    };
    call("health", "stdio", "ok", 0);
    call("linux.fs_read", "stdio", "ok", 0.01);
    call("linux.fs_read", "rest", "NOT_FOUND", 0.01);
    call("linux.fs_read", "http", "NOT_FOUND", 0.01);

    expect(metrics.snapshot()).toEqual([
      {
        tool: "linux.fs_read",
        count: 3,
        errors: { NOT_FOUND: 2 },
        p50Ms: expect.closeTo(10, 0),
        p95Ms: expect.closeTo(10, 0),
        p99Ms: expect.closeTo(10, 0),
        tokensIn: 15,
        tokensOut: 21,
      },
      { tool: "health", count: 1, errors: {}, p50Ms: 0, p95Ms: 0, p99Ms: 0, tokensIn: 5, tokensOut: 7 },
    ]);
  });

  test("has percentiles within 4.5 % of the exact ones", () => {
    const durations = fc.array(fc.double({ min: 2e-6, max: 1_000, noNaN: true }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(durations, (seconds) => {
        const metrics = createMetrics();
        for (const each of seconds) metrics.observe("llmc_tool_duration_seconds", { tool: "t" }, each);
        const sorted = seconds.toSorted((a, b) => a - b);
        const exact = (q: number) => (sorted[Math.ceil(q * sorted.length) - 1] ?? 0) * 1000;
        const [stats] = metrics.snapshot();
        for (const [given, q] of [
          [stats?.p50Ms, 0.5],
          [stats?.p95Ms, 0.95],
          [stats?.p99Ms, 0.99],
        ] as const) {
          // The snapshot rounds to a microsecond.
          expect(Math.abs((given ?? NaN) - exact(q))).toBeLessThanOrEqual(exact(q) * 0.045 + 0.0005);
        }
      }),
    );
  });

  test("takes no measurement that is none", () => {
    const metrics = createMetrics();
    for (const seconds of [Number.NaN, -1, Infinity])
      metrics.observe("llmc_tool_duration_seconds", { tool: "t" }, seconds);

    expect(metrics.snapshot()).toMatchObject([{ p50Ms: 0, p99Ms: 0 }]);
  });
});

test("metrics that are switched off count nothing", () => {
  noMetrics.count("a_total", {});
  noMetrics.observe("b_seconds", {}, 1);

  expect([noMetrics.prometheus(), noMetrics.snapshot()]).toEqual(["", []]);
});
