import { OpsError } from "@llmc/errors";
import { Refusal } from "./refusal.js";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const JSON_TYPE = "application/json; charset=utf-8";

/** What a failure looks like over HTTP, wherever it happened: a status and the envelope. */
export function envelopeOf(thrown: unknown, correlationId: string): Answer {
  const error = OpsError.from(thrown);
  const envelope = error.toEnvelope(correlationId);
  const { code } = error;
  return {
    status: error instanceof Refusal ? error.httpStatus : error.status,
    headers: {
      "Content-Type": JSON_TYPE,
      "X-Correlation-Id": correlationId,
      ...retryAfter(error),
      ...(error instanceof Refusal ? error.headers : {}),
    },
    // Over HTTP arguments that break a schema are BAD_ARGS, as any other request that is not understood.
    body: JSON.stringify(code === "INVALID_ARGUMENT" ? { ...envelope, code: "BAD_ARGS" } : envelope),
  };
}

function retryAfter({ details }: OpsError): Record<string, string> {
  const ms = details?.["retry_after_ms"];
  return typeof ms === "number" ? { "Retry-After": String(Math.max(1, Math.ceil(ms / 1000))) } : {};
}

/** Sends a failure. */
export function refuse(thrown: unknown, correlationId: string): Response {
  const { status, headers, body } = envelopeOf(thrown, correlationId);
  return new Response(body, { status, headers });
}

export function answer(data: unknown): Response {
  return new Response(JSON.stringify(data), { headers: { "Content-Type": JSON_TYPE } });
}
