import type { AddressInfo } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Logger } from "@llmc/audit";
import type { Ending } from "@llmc/cli";
import type { Settings } from "@llmc/config";
import type { Services } from "@llmc/linux-ops";
import { createHttpMcp, createRunning } from "@llmc/mcp";
import { correlationIdFrom } from "@llmc/toolkit";
import { createApp, ROUTES, type Answered } from "./app.js";
import { drainable } from "./server/drain.js";
import { refuse } from "./answer/envelope.js";
import { listen } from "./server/listen.js";
import { MalformedRefusal } from "./answer/refusal.js";
import { createBoundedServer, type TlsFiles } from "./server/server.js";

export interface ServeOptions {
  readonly services: Services;
  readonly settings: Settings;
  readonly version: string;
  readonly token: string | null;
  readonly tls: TlsFiles | null;
  readonly portAsked: boolean;
  readonly log: Logger | null;
  readonly ending: Ending;
  /** Called once, when requests are answered. */
  readonly onListening: (address: AddressInfo) => void;
}

const HEADERS_MS = 10_000;
const REQUEST_MS = 60_000;
const MAX_CONNECTIONS = 1024;
/** Calls in flight get so long to finish once the server is to end, and cancelled ones to be answered. */
const FINISH_MS = 2000;
const CANCEL_MS = 5000;

/** Serves until it is told to end, and leaves nothing open. */
export async function serveHttp(options: ServeOptions): Promise<void> {
  const { services, settings, version, token, tls, log, ending } = options;
  const { server, limits, tools } = settings.mcp;
  const mcp = createHttpMcp({
    dispatcher: services.dispatcher,
    access: services.access,
    settings,
    version,
    onSessionEnd: (owner) =>
      void services
        .endSession(owner)
        .catch((error: unknown) => log?.error({ error: String(error) }, "a session did not end")),
  });
  const running = createRunning();
  const app = createApp({
    settings,
    dispatcher: services.dispatcher,
    mcp,
    running,
    token,
    version,
    metrics: () => services.audit.metrics.prometheus(),
    onAnswer: (answered) => record(answered, services, log),
  });
  services.audit.metrics.gauge("llmc_sessions", () => mcp.sessions());
  services.audit.metrics.gauge("llmc_resident_bytes", () => process.memoryUsage.rss());
  const listener = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: (thrown) => refuse(unreadable(thrown), correlationIdFrom()),
  });
  const node = createBoundedServer(
    (incoming, outgoing) => void listener(incoming, outgoing),
    {
      maxHeaderBytes: limits.max_header_bytes,
      headersMs: HEADERS_MS,
      requestMs: REQUEST_MS,
      keepAliveMs: tools.idle_timeout * 1000,
      maxConnections: MAX_CONNECTIONS,
    },
    tls,
  );
  const drain = drainable(node);
  try {
    const address = await listen(node, { host: server.host, port: server.port, asked: options.portAsked });
    node.on("error", (error) => log?.error({ error: error.message }, "the listening socket failed"));
    options.onListening(address);
    await aborted(ending.signal);
  } finally {
    await drain({
      finished: async () => {
        await Promise.all([running.settled(FINISH_MS), mcp.settled(FINISH_MS)]);
      },
      cancelled: async () => {
        running.cancel();
        await Promise.all([running.settled(CANCEL_MS), mcp.close()]);
      },
    });
  }
}

/** What the adapter cannot make a request of: no Host at all, or a path that is none. */
function unreadable(thrown: unknown): unknown {
  return thrown instanceof RequestError ? new MalformedRefusal(thrown.message) : thrown;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function record(
  { correlationId, method, route, status, error, durationMs }: Answered,
  services: Services,
  log: Logger | null,
) {
  const { metrics } = services.audit;
  const { metrics_path } = services.settings.mcp.observability;
  const known = [...ROUTES, metrics_path].includes(route) ? route : "other";
  metrics.count("llmc_http_requests_total", { route: known, status: String(status) });
  metrics.observe("llmc_http_request_seconds", { route: known }, durationMs / 1000);
  if (status === 401) metrics.count("llmc_auth_failures_total", {});
  if (status === 429) metrics.count("llmc_rate_limit_drops_total", {});
  const fields = {
    correlation_id: correlationId,
    method,
    route,
    status,
    duration_ms: Math.round(durationMs * 10) / 10,
  };
  if (status >= 500) log?.error({ ...fields, code: error?.code, cause: stackOf(error?.cause) }, "request failed");
  else if (route === "/health" && status < 400) log?.debug(fields, "request");
  else log?.info({ ...fields, ...(error && { code: error.code }) }, "request");
}

function stackOf(cause: unknown): string | undefined {
  return cause instanceof Error ? (cause.stack ?? cause.message) : undefined;
}
