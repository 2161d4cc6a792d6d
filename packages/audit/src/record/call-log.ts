import { CODES } from "@llmc/errors";
import type { CallRecord } from "@llmc/toolkit";
import { errorFields, type Logger } from "../log/log.js";
import type { Bounds, Mask } from "../text/mask.js";
import { factsOf, type CallRow } from "./row.js";

export interface CallLogOptions {
  readonly log: Logger;
  readonly mask: Mask;
  /** Only what went wrong on our side. */
  readonly errorsOnly: boolean;
}

export type CallLog = (record: CallRecord, row: CallRow) => void;

type Level = "info" | "warn" | "error";

const ERROR: Bounds = { depth: 4, members: 10, stringLength: 4_000, hideContents: false };
const MESSAGE_LENGTH = 300;

export function createCallLog({ log, mask, errorsOnly }: CallLogOptions): CallLog {
  return (record, row) => {
    const level = levelOf(record);
    if (errorsOnly && level === "info") return;
    const facts = factsOf(record, mask);
    log[level](
      { ...fieldsOf(record, row), ...besides(facts), ...failureOf(record, mask) },
      `${row.tool} ${row.status}`,
    );
  };
}

/** A caller's mistake is no news to the operator; a fault of ours is an error, a machine that fails a warning. */
export function levelOf({ status }: Pick<CallRecord, "status">): Level {
  if (status === "ok" || CODES[status].status < 500) return "info";
  return status === "INTERNAL" || status === "LINUXOPS_ERROR" ? "error" : "warn";
}

function fieldsOf(record: CallRecord, row: CallRow): Record<string, unknown> {
  return {
    time: record.startedAt + record.durationMs,
    tool: row.tool,
    status: row.status,
    duration_ms: row.durationMs,
    correlation_id: row.correlationId,
    session: row.sessionId,
    agent: row.agentId,
    entry: row.entry,
    truncated: row.truncated,
    handle: row.handle,
    bytes_out: row.bytesOut,
    tokens_in: row.tokensIn,
    tokens_out: row.tokensOut,
  };
}

const TAKEN = new Set([
  ...["time", "level", "msg", "tool", "status", "duration_ms", "correlation_id", "session", "agent", "entry"],
  ...["truncated", "handle", "bytes_out", "tokens_in", "tokens_out", "error"],
]);

/** A tool's fact never overwrites a field of the record: a `status` of its own is `fact_status`. */
function besides(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts)
      .filter(([key]) => key !== "truncated" && key !== "handle")
      .map(([key, value]) => [TAKEN.has(key) ? `fact_${key}` : key, value]),
  );
}

/** What failed. The lines below it show what is in the file, for whoever called: content is never logged. */
function firstLine(message: string): string {
  return (message.split("\n", 1)[0] ?? "").slice(0, MESSAGE_LENGTH);
}

function failureOf({ error }: CallRecord, mask: Mask): Record<string, unknown> {
  if (error === null) return {};
  if (levelOf({ status: error.code }) !== "error") return { error: mask.text(firstLine(error.message)) };
  // The cause is what happened; the error around it only says that nobody foresaw it.
  const { cause } = error;
  return { error: mask.value(cause instanceof Error ? errorFields(cause) : (cause ?? errorFields(error)), ERROR) };
}
