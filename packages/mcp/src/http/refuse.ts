import { OpsError, RateLimitedError, type ErrorCode } from "@llmc/errors";
import { ProtocolError, RPC } from "../protocol/protocol-error.js";

export const METHODS = ["GET", "POST", "DELETE"];
/** The SDK's own number for a session it does not know. */
const SESSION_NOT_FOUND = -32_001;
const SERVER_ERROR = -32_000;

export class MethodRefusal extends OpsError {
  constructor(method: string) {
    super("BAD_ARGS", `This route does not take ${method.slice(0, 20)}`, { hint: `Use ${METHODS.join(", ")}.` });
  }
}

export class NoSessionIdRefusal extends OpsError {
  constructor() {
    super("BAD_ARGS", "The Mcp-Session-Id header is missing", { hint: INITIALIZE });
  }
}

export class SessionNotFoundRefusal extends OpsError {
  constructor() {
    super("NOT_FOUND", "There is no such session", { hint: HINTS[404] });
  }
}

const INITIALIZE = "POST initialize first, then send the Mcp-Session-Id of its answer with every request.";
const HINTS: Readonly<Record<number, string>> = {
  404: "It ended or expired; POST initialize for a new one.",
  406: "Accept both application/json and text/event-stream.",
  409: "Close the session's other event stream first.",
  413: "Send less at once, or raise mcp.limits.max_request_bytes.",
  415: "Send Content-Type: application/json.",
};

export const refuseMethod = (method: string, correlationId: string) =>
  response(405, SERVER_ERROR, new MethodRefusal(method), correlationId, { Allow: METHODS.join(", ") });

export const refuseMissingId = (correlationId: string) =>
  response(400, SERVER_ERROR, new NoSessionIdRefusal(), correlationId);

export const refuseSession = (correlationId: string) =>
  response(404, SESSION_NOT_FOUND, new SessionNotFoundRefusal(), correlationId);

export function refuseFull(sessions: number, retryMs: number, correlationId: string): Response {
  return refuseRequest(new RateLimitedError(`${sessions} sessions are open and busy`, retryMs), correlationId);
}

/** Refuses a request before it is read, so that its id is not known. */
export function refuseRequest(error: OpsError, correlationId: string): Response {
  const ms = error.details?.["retry_after_ms"];
  const headers = typeof ms === "number" ? { "Retry-After": String(Math.max(1, Math.ceil(ms / 1000))) } : {};
  return response(error.status, SERVER_ERROR, error, correlationId, headers);
}

export const refuseFault = (thrown: unknown, correlationId: string) =>
  response(500, RPC.internal, OpsError.from(thrown), correlationId);

function response(
  status: number,
  rpcCode: number,
  error: OpsError,
  correlationId: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { code, message, data } = new ProtocolError(rpcCode, error, correlationId);
  return Response.json({ jsonrpc: "2.0", error: { code, message, data }, id: null }, { status, headers });
}

/** The SDK's transport refuses with a sentence alone: our envelope is put beside it. */
export async function withEnvelope(refused: Response, correlationId: string): Promise<Response> {
  const { jsonrpc, error, id } = (await refused.json()) as SdkRefusal;
  const code: ErrorCode = CODES_BY_STATUS[refused.status] ?? "BAD_ARGS";
  const facts = new OpsError(code, error.message, { hint: hintFor(refused.status, error.message) });
  const data = facts.toEnvelope(correlationId);
  const headers = new Headers(refused.headers);
  headers.delete("content-length");
  const body = JSON.stringify({ jsonrpc, error: { code: error.code, message: error.message, data }, id });
  return new Response(body, { status: refused.status, headers });
}

interface SdkRefusal {
  readonly jsonrpc: string;
  readonly error: { readonly code: number; readonly message: string };
  readonly id: null;
}

const CODES_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  404: "NOT_FOUND",
  409: "ALREADY_EXISTS",
  413: "TOO_LARGE",
  500: "INTERNAL",
};

function hintFor(status: number, message: string): string | undefined {
  if (/not initialized|Session-Id/i.test(message)) return INITIALIZE;
  if (/event ID/i.test(message)) return "The event is no longer kept; repeat the call.";
  return HINTS[status];
}
