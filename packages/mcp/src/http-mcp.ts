import { correlationIdFrom } from "@llmc/toolkit";
import { createEndpoint } from "./endpoint/endpoint.js";
import { timingOf, type McpOptions } from "./protocol/options.js";
import { openHttpSession, type HttpSession } from "./sdk/http-session.js";
import { METHODS, refuseFault, refuseFull, refuseMethod, refuseMissingId, refuseSession } from "./http/refuse.js";
import { createEventPool } from "./http/event-store.js";
import { createSessionTable } from "./http/session-table.js";

export interface HttpCaller {
  /** The token's name, not the token. */
  readonly token: string;
}

export interface HttpMcp {
  handle(request: Request, caller: HttpCaller): Promise<Response>;
  sessions(): number;
  /** Resolves when no call runs, or after so many milliseconds. */
  settled(ms: number): Promise<void>;
  /** Cancels the calls that run, which are answered, and ends all streams. */
  close(): Promise<void>;
}

/** Bytes of events that clients of all sessions may ask for again. */
const MAX_EVENT_BYTES = 16 * 1024 * 1024;

/** Streamable HTTP with sessions. Host, Origin and token were checked before a request comes here. */
export function createHttpMcp(options: McpOptions): HttpMcp {
  const { session: limits, limits: sizes } = options.settings.mcp;
  const timing = timingOf(options);
  const endpoint = createEndpoint(options);
  const pool = createEventPool(MAX_EVENT_BYTES);
  const table = createSessionTable<HttpSession>({
    max: limits.max_sessions,
    idleMs: limits.idle_timeout_sec * 1000,
    sweepMs: timing.sweepMs,
  });

  async function open(request: Request, { token }: HttpCaller, correlationId: string): Promise<Response> {
    if (!table.hasRoom()) return refuseFull(table.size(), timing.retryMs, correlationId);
    // Unless this is an initialize, nobody can come back to it: it opens nothing and is forgotten with its answer.
    const owner = (id: string): string => (limits.scope === "token" ? token : `${token}/${id}`);
    const session = await openHttpSession({
      endpoint,
      token,
      owner,
      maxRequestBytes: sizes.max_request_bytes,
      timing,
      pool,
      onClient: options.onClient,
      onOpen: table.add,
      onClose: (closed) => {
        table.remove(closed);
        // What belongs to the token outlives its sessions.
        if (limits.scope === "session") options.onSessionEnd?.(owner(closed.id));
      },
    });
    return session.handle(request, correlationId);
  }

  function route(request: Request, caller: HttpCaller, correlationId: string): Response | Promise<Response> {
    if (!METHODS.includes(request.method)) return refuseMethod(request.method, correlationId);
    const id = request.headers.get("mcp-session-id");
    if (id !== null) {
      return table.get(id, caller.token)?.handle(request, correlationId) ?? refuseSession(correlationId);
    }
    return request.method === "POST" ? open(request, caller, correlationId) : refuseMissingId(correlationId);
  }

  return {
    async handle(request, caller) {
      const correlationId = correlationIdFrom(request.headers.get("x-correlation-id") ?? undefined);
      try {
        return await route(request, caller, correlationId);
      } catch (thrown) {
        return refuseFault(thrown, correlationId);
      }
    },
    sessions: table.size,
    settled: async (ms) => {
      await Promise.all(table.all().map((session) => session.settled(ms)));
    },
    close: table.close,
  };
}
