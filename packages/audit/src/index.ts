export { createAudit, type Audit, type AuditOptions } from "./audit.js";
export type { RecentCalls } from "./calls.js";
export { createLogger, type Logger, type LoggerOptions } from "./log.js";
export type { LogLevel } from "./log-line.js";
export type { Metrics } from "./metrics.js";
export type { CallRow } from "./row.js";
export type { Labels } from "./series.js";
export type { ToolStats } from "./stats.js";
export { createMask, type Mask } from "./mask.js";
