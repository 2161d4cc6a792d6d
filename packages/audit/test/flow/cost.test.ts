import { openSync } from "node:fs";
import { openDatabase } from "@llmc/handles";
import { expect, onTestFinished, test } from "vitest";
import { createAudit } from "../../src/flow/audit.js";
import { createLogger } from "../../src/log/log.js";
import { record, tempDir } from "../fixture.js";

test("the cost of a call's record is printed; the goal is 0.1 ms", async () => {
  const database = await openDatabase({ dataDir: tempDir(), warn: (message) => expect.unreachable(message) });
  onTestFinished(() => database.close());
  const log = createLogger({
    format: "json",
    level: "info",
    includeCorrelationId: true,
    destination: openSync("/dev/null", "w"),
  });
  const audit = createAudit({
    database: async () => database,
    log,
    enabled: true,
    metricsEnabled: true,
    csv: null,
    version: "1.2.3",
    retentionDays: 0,
  });
  const text = "x".repeat(500);
  const sink: number[] = [];
  const all: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const start = performance.now();
    for (let n = 0; n < 250; n += 1) audit.sink(record({ text: () => text }));
    sink.push((performance.now() - start) / 250);
    await audit.flush();
    all.push((performance.now() - start) / 250);
  }

  const median = (values: number[]) => (values.toSorted((a, b) => a - b)[10] ?? 0) * 1000;
  console.info(
    `audit: sink ${median(sink).toFixed(1)} µs a call; with log line, tokens and row, off the call's path, ${median(all).toFixed(0)} µs`,
  );
  expect((await audit.usage())[0]?.count).toBe(5_000);
});
