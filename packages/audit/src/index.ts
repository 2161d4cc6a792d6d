export { createAudit, type Audit, type AuditOptions } from "./flow/audit.js";
export type { RecentCalls } from "./store/calls.js";
export { createLogger, type Logger, type LoggerOptions } from "./log/log.js";
export type { LogLevel } from "./log/log-line.js";
export type { Metrics } from "./metrics/metrics.js";
export type { CallRow } from "./record/row.js";
export type { Labels } from "./metrics/series.js";
export type { ToolStats } from "./record/stats.js";
export { createMask, type Mask } from "./text/mask.js";
