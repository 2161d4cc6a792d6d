import type { HttpBindings } from "@hono/node-server";
import { OpsError } from "@llmc/errors";
import type { Settings } from "@llmc/config";
import { refuseRequest, type HttpMcp, type Running } from "@llmc/mcp";
import { correlationIdFrom, type Dispatcher } from "@llmc/toolkit";
import { Hono, type Context, type MiddlewareHandler } from "hono";
import { tokenBuckets } from "./limits/rate-limit.js";
import { wrongTokens } from "./limits/wrong-tokens.js";
import { demandAgentRequest } from "./request/agent-request.js";
import { createAuth } from "./request/auth.js";
import { checkBodyHeaders, parseJson, readBody } from "./request/body.js";
import { answer, refuse } from "./answer/envelope.js";
import { openApi } from "./answer/openapi.js";
import { createHostCheck } from "./request/hosts.js";
import { MethodRefusal, NoRouteRefusal, UnauthenticatedRefusal } from "./answer/refusal.js";
import { toolRequest } from "./request/tool-request.js";

export interface AppOptions {
  readonly settings: Settings;
  readonly dispatcher: Dispatcher;
  readonly mcp: HttpMcp;
  /** The calls of /tool. */
  readonly running: Running;
  /** null: no token is asked for. */
  readonly token: string | null;
  readonly version: string;
  /** The metrics as text. */
  readonly metrics: () => string;
  readonly onAnswer: (answered: Answered) => void;
}

/** One finished request, for the log and the counters. */
export interface Answered {
  readonly correlationId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly error: OpsError | undefined;
  readonly durationMs: number;
}

interface Env {
  readonly Bindings: HttpBindings;
  readonly Variables: { correlationId: string; token: string; error: OpsError | undefined };
}

/** Routes with a fixed path. */
export const ROUTES: readonly string[] = ["/health", "/mcp", "/tool", "/invoke_agent", "/openapi.json"];
const CORRELATION_HEADER = "X-Correlation-Id";
const HEALTH = { ok: true, version: "v0" };
const ACKNOWLEDGED = { text: "[MCP v0] received; use /rag/search for pre-call context" };
const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export function createApp({
  settings,
  dispatcher,
  mcp,
  running,
  token,
  version,
  metrics,
  onAnswer,
}: AppOptions): Hono<Env> {
  const { server, auth, limits, session, observability } = settings.mcp;
  const checkHost = createHostCheck({
    host: server.host,
    allowedHosts: server.allowed_hosts,
    allowedOrigins: server.allowed_origins,
  });
  const authenticate = createAuth({ token, header: auth.header });
  const requests = tokenBuckets({ rps: limits.rate_limit_rps, burst: limits.rate_limit_burst });
  const guesses = wrongTokens();
  const isMeasured = observability.enabled && observability.metrics_prometheus_enabled;
  const metricsPath = isMeasured ? observability.metrics_path : null;
  const app = new Hono<Env>();

  app.use(observed(onAnswer));
  app.use(async ({ env: { incoming } }, next) => {
    checkHost({ rawHeaders: incoming.rawHeaders, localAddress: incoming.socket.localAddress });
    await next();
  });

  const authenticated: MiddlewareHandler<Env> = async (context, next) => {
    const address = context.env.incoming.socket.remoteAddress ?? "";
    guesses.demandRoom(address);
    try {
      context.set(
        "token",
        authenticate((name) => context.req.header(name)),
      );
    } catch (thrown) {
      if (thrown instanceof UnauthenticatedRefusal && thrown.isWrong) await guesses.answered(address);
      throw thrown;
    }
    await requests.take(context.var.token);
    await next();
  };
  const bodyText = (context: Context<Env>) => {
    checkBodyHeaders(context.env.incoming, limits.max_request_bytes);
    return readBody(context.req.raw, limits.max_request_bytes, context.env);
  };

  app.all("/health", only(["GET", "HEAD"]), () => answer(HEALTH));

  app.all("/mcp", authenticated, only(["POST", "GET", "DELETE"]), async (context) => {
    const { method, url, headers, signal } = context.req.raw;
    const forwarded = new Headers(headers);
    forwarded.set(CORRELATION_HEADER, context.var.correlationId);
    const body = method === "POST" ? await bodyText(context) : null;
    const request = new Request(url, { method, headers: forwarded, body, signal });
    const answered = await mcp.handle(request, { token: context.var.token });
    // The SDK writes `keep-alive` into every stream; whether a connection is kept is between Node and the client.
    answered.headers.delete("connection");
    return answered;
  });

  app.all("/tool", authenticated, only(["POST"]), async (context) => {
    const request = toolRequest(parseJson(await bodyText(context)));
    const { correlationId } = context.var;
    const caller = {
      id: request.sessionId,
      agentId: request.agentId ?? session.default_agent_id,
      model: request.model ?? session.default_model,
      budgetProfile: request.budgetProfile,
      token: context.var.token,
      owner: `${context.var.token}/rest:${request.sessionId}`,
    };
    const { payload } = await running.run(context.req.raw.signal, (controller) =>
      dispatcher.call(request.name, request.args, { entry: "rest", correlationId, controller, session: caller }),
    );
    const isEnvelope = dispatcher.find(request.name)?.enveloped === true;
    const { data, meta } = isEnvelope ? payload : { data: payload, meta: cutOf(payload) };
    return answer({ data, meta: { ...(meta as object | undefined), correlation_id: correlationId } });
  });

  app.all("/invoke_agent", authenticated, only(["POST"]), async (context) => {
    demandAgentRequest(parseJson(await bodyText(context)));
    return answer(ACKNOWLEDGED);
  });

  app.all("/openapi.json", authenticated, only(["GET", "HEAD"]), () =>
    answer(openApi({ tools: dispatcher.tools, version, tokenHeader: auth.header, metricsPath })),
  );

  if (metricsPath !== null)
    app.all(
      metricsPath,
      authenticated,
      only(["GET", "HEAD"]),
      () => new Response(metrics(), { headers: { "Content-Type": METRICS_TYPE } }),
    );

  app.notFound(({ req }) => {
    throw new NoRouteRefusal(req.path);
  });
  app.onError((thrown, context) => {
    const error = OpsError.from(thrown);
    context.set("error", error);
    // A client of MCP reads JSON-RPC.
    if (context.req.path === "/mcp" && error.code === "RATE_LIMITED")
      return refuseRequest(error, context.var.correlationId);
    return refuse(thrown, context.var.correlationId);
  });
  return app;
}

/** Outermost: every request gets its id and is told of once, whatever became of it. */
function observed(onAnswer: AppOptions["onAnswer"]): MiddlewareHandler<Env> {
  return async (context, next) => {
    const start = performance.now();
    const correlationId = correlationIdFrom(context.req.header(CORRELATION_HEADER));
    context.set("correlationId", correlationId);
    await next();
    context.header(CORRELATION_HEADER, correlationId);
    onAnswer({
      correlationId,
      method: context.req.method,
      route: context.req.path.slice(0, 200),
      status: context.res.status,
      error: context.var.error,
      durationMs: performance.now() - start,
    });
  };
}

function only(methods: readonly string[]): MiddlewareHandler<Env> {
  return async ({ req }, next) => {
    // The request's own: hono answers HEAD by way of GET.
    if (!methods.includes(req.raw.method)) throw new MethodRefusal(req.raw.method, req.path, methods);
    await next();
  };
}

interface Cut {
  readonly truncated?: true;
  readonly handle?: string;
}

/** Seed shapes keep the two at different depths; a caller of /tool finds them in one place. */
function cutOf(payload: Readonly<Record<string, unknown>>): Cut {
  const { truncated, handle, meta } = payload;
  const cut = truncated ?? (meta as Readonly<Record<string, unknown>> | undefined)?.["truncated"];
  return { ...(cut === true && { truncated: true }), ...(typeof handle === "string" && { handle }) };
}
