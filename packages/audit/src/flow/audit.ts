import { FeatureDisabledError } from "@llmc/errors";
import type { Database } from "@llmc/handles";
import type { CallRecord, Sink } from "@llmc/toolkit";
import { createCallLog, levelOf } from "../record/call-log.js";
import { createCallMetrics } from "../metrics/call-metrics.js";
import type { RecentCalls } from "../store/calls.js";
import { createChannel } from "./channel.js";
import { csvLine } from "../csv/csv.js";
import { csvFile } from "../csv/csv-file.js";
import { createIntake } from "./intake.js";
import { createKeptStore } from "./kept-store.js";
import type { Logger } from "../log/log.js";
import { createMask } from "../text/mask.js";
import { createMetrics, noMetrics, type Metrics } from "../metrics/metrics.js";
import { openCalls } from "./open-calls.js";
import { createProblems } from "./problems.js";
import { rowOf, type CallRow, type Sizes } from "../record/row.js";
import type { Savings } from "../record/savings.js";
import { sizesOf } from "../record/sizes.js";
import type { ToolStats } from "../record/stats.js";
import { createTelemetry } from "./telemetry.js";

export interface AuditOptions {
  /** Asked at the first flush, and again where it failed. */
  readonly database: () => Promise<Database>;
  readonly log: Logger | null;
  /** Exact values that never appear in a line, a row or a file. */
  readonly secrets?: readonly string[] | undefined;
  /** Further names of arguments with file contents, of which a record keeps only the length. */
  readonly contentKeys?: readonly string[] | undefined;
  /** False: no metrics, no rows, no CSV; lines about faults stay. */
  readonly enabled: boolean;
  readonly metricsEnabled: boolean;
  readonly csv: { readonly path: string } | null;
  /** 0 keeps rows and CSV lines whatever their age. */
  readonly retentionDays: number;
  /** Version of the server, recorded with each output. */
  readonly version: string;
  readonly onProblem?: ((message: string) => void) | undefined;
}

export interface Audit {
  readonly sink: Sink;
  readonly metrics: Metrics;
  /** Everything recorded so far is where it belongs, or its problem was reported. Never rejects. */
  flush(): Promise<void>;
  /** At a crash: what can be written without waiting. */
  flushSync(): void;
  close(): Promise<void>;
  /** What is wrong right now. */
  problems(): readonly string[];
  recentCalls(query: RecentCalls): Promise<CallRow[]>;
  usage(): Promise<ToolStats[]>;
  /** Counts the tokens that the envelope saved, by family of commands and client. */
  savings(): Promise<Savings[]>;
}

const ROWS = 100_000;

export function createAudit(options: AuditOptions): Audit {
  const { database, log, secrets = [], contentKeys, enabled, metricsEnabled, csv, retentionDays, onProblem } = options;
  const retention = { rows: ROWS, days: retentionDays };
  const mask = createMask(secrets, contentKeys);
  const metrics = enabled && metricsEnabled ? createMetrics() : noMetrics;
  const counted = createCallMetrics(metrics);
  const problems = createProblems({ log, onProblem });
  const logCall = log === null ? null : createCallLog({ log, mask, errorsOnly: !enabled });
  const store = createKeptStore(async () => openCalls(await database(), retention));
  const file = enabled && csv !== null ? csvFile({ path: csv.path, retentionDays }) : null;
  let closed = false;

  const telemetry = createTelemetry({
    database,
    retention,
    mask,
    version: options.version,
    problems,
    onLost: (events) => counted.lost("telemetry", events),
  });
  const channels = enabled ? [databaseChannel()] : [];
  if (file !== null) {
    const write = (rows: readonly CallRow[]) => file.append(rows.map(csvLine).join(""));
    const onLost = (rows: number) => counted.lost("csv", rows);
    channels.push(createChannel({ name: "The token audit", problems, write, writeSync: write, onLost }));
  }

  function databaseChannel() {
    return createChannel<CallRow>({
      name: "The audit database",
      problems,
      write: async (rows) => (await store.open()).calls.append(rows),
      writeSync: (rows) => store.opened().appendSync(rows),
      onLost: (rows) => counted.lost("database", rows),
    });
  }

  const intake = createIntake({
    measure: sizesOf,
    keep,
    onLost: (records) => counted.lost("intake", records),
    onError: (thrown) => problems.raise("The call record", `A call could not be recorded: ${String(thrown)}`),
    after: () => drain({ now: false }),
  });

  function keep(record: CallRecord, sizes: Sizes): void {
    const row = rowOf(record, sizes, mask);
    logCall?.(record, row);
    counted.sizes(row);
    for (const channel of channels) channel.push(row);
    if (enabled) telemetry.keep(record);
  }

  async function drain(how: { now: boolean }): Promise<void> {
    for (const channel of [...channels, telemetry.channel]) await channel.drain(how);
  }

  function sink(record: CallRecord): void {
    if (closed) return;
    counted.call(record);
    intake.push(record);
    // A fault should be on the screen before the person who looks for it.
    if (levelOf(record) === "error") intake.soon();
  }

  async function flush(): Promise<void> {
    await intake.drain();
    await drain({ now: true });
    log?.flush();
  }

  function flushSync(): void {
    intake.drainSync();
    for (const channel of [...channels, telemetry.channel]) channel.drainSync();
    log?.flush();
  }

  async function close(): Promise<void> {
    closed = true;
    await flush();
    file?.close();
  }

  async function recorded<T>(read: () => Promise<T>): Promise<T> {
    if (!enabled) throw new FeatureDisabledError("The record of calls", { id: "record-calls" });
    // A caller finds his own last call in the answer.
    await flush();
    return await read();
  }

  return {
    sink,
    metrics,
    flush,
    flushSync,
    close,
    problems: problems.list,
    recentCalls: (query) => recorded(async () => (await store.open()).calls.recent(query)),
    usage: () => recorded(async () => (await store.open()).calls.usage()),
    savings: () => recorded(telemetry.savings),
  };
}
