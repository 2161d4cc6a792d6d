/**
 * A call never waits for its record. The sink counts the call and puts its record in a queue; log line, row and CSV line
 * are made from the queue, between calls. Each place that may fail (the database, the CSV file) has a bounded queue of
 * its own, so a full disk costs records and never a call.
 */
export { createAudit, type Audit, type AuditOptions } from "./flow/audit.js";
export type { RecentCalls } from "./store/calls.js";
export { createLogger, type Logger, type LoggerOptions } from "./log/log.js";
export type { LogLevel } from "./log/log-line.js";
export type { Metrics } from "./metrics/metrics.js";
export type { CallRow } from "./record/row.js";
export type { Labels } from "./metrics/series.js";
export type { Savings } from "./record/savings.js";
export type { ToolStats } from "./record/stats.js";
export { createMask, type Mask } from "./text/mask.js";
