import { OpsError } from "@llmc/errors";
import type { Call } from "../call/call.js";
import type { CallResult, Middleware } from "../call/dispatch.js";
import { factsOf } from "../call/facts.js";
import type { CallRecord, Sink } from "../call/record.js";

export interface ObserveOptions {
  readonly sinks: readonly Sink[];
  /** A sink that throws is our bug; it must not become the caller's. */
  readonly onSinkError: (error: unknown) => void;
}

/** Logs, metrics and audit all hang here: each finished call reaches every sink once, whatever its end. */
export function observe({ sinks, onSinkError }: ObserveOptions): Middleware {
  return async (call, next) => {
    const startedAt = Date.now();
    const start = performance.now();
    let result: CallResult | null = null;
    let error: OpsError | null = null;
    try {
      result = await next();
      return result;
    } catch (thrown) {
      error = OpsError.from(thrown);
      throw error;
    } finally {
      const record = recordOf(call, { result, error, startedAt, durationMs: performance.now() - start });
      for (const sink of sinks) deliver(sink, record, onSinkError);
    }
  };
}

interface Ending {
  readonly result: CallResult | null;
  readonly error: OpsError | null;
  readonly startedAt: number;
  readonly durationMs: number;
}

function recordOf(call: Call, { result, error, startedAt, durationMs }: Ending): CallRecord {
  const payload = result?.payload ?? {};
  const handle = told(payload, "handle");
  return {
    tool: call.tool?.name ?? call.name.slice(0, 100),
    entry: call.entry,
    correlationId: call.correlationId,
    sessionId: call.session.id,
    agentId: call.session.agentId,
    model: call.session.model,
    client: call.session.client ?? null,
    token: call.session.token,
    status: error?.code ?? "ok",
    startedAt,
    durationMs,
    args: call.rawArgs,
    facts: factsOf(call.tool?.logs, call.args, payload),
    truncated: told(payload, "truncated") === true,
    handle: typeof handle === "string" ? handle : null,
    error,
    envelope: call.envelope,
    text: result?.text ?? (() => (error === null ? "" : `${error.code}: ${error.message}`)),
  };
}

/** Some results say it themselves, others in their meta. */
function told(payload: Readonly<Record<string, unknown>>, name: string): unknown {
  return payload[name] ?? (payload["meta"] as Readonly<Record<string, unknown>> | undefined)?.[name];
}

function deliver(sink: Sink, record: CallRecord, onSinkError: (error: unknown) => void): void {
  try {
    sink(record);
  } catch (thrown) {
    onSinkError(thrown);
  }
}
