import { randomUUID } from "node:crypto";
import {
  WebStandardStreamableHTTPServerTransport as SdkTransport,
  type EventStore,
} from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { Endpoint } from "../endpoint/endpoint.js";
import { createEvents, type EventPool } from "../http/event-store.js";
import { withEnvelope } from "../http/refuse.js";
import type { Tabled } from "../http/session-table.js";
import { tracked } from "../http/tracked.js";
import type { ClientInfo, Timing } from "../protocol/options.js";
import { bind } from "./bind.js";

export interface HttpSession extends Tabled {
  handle(request: Request, correlationId: string): Promise<Response>;
  settled(ms: number): Promise<boolean>;
}

export interface HttpSessionOptions {
  readonly endpoint: Endpoint;
  readonly token: string;
  readonly owner: (sessionId: string) => string;
  readonly maxRequestBytes: number;
  readonly timing: Timing;
  readonly pool: EventPool;
  readonly onClient: ((client: ClientInfo, sessionId: string) => void) | undefined;
  /** The client's initialize was taken: from here on the session has an id. */
  readonly onOpen: (session: HttpSession) => void;
  readonly onClose: (session: HttpSession) => void;
}

/** Bytes of events that a client may ask for again. */
const MAX_EVENT_BYTES = 2 * 1024 * 1024;

/** One server and one transport for one client: shared ones have sent answers to strangers. */
export async function openHttpSession(options: HttpSessionOptions): Promise<HttpSession> {
  const { endpoint, token, owner, maxRequestBytes, timing, pool, onClient, onOpen, onClose } = options;
  const events = createEvents<JSONRPCMessage>({ maxBytes: MAX_EVENT_BYTES, maxAgeMs: timing.eventAgeMs, pool });
  const id = randomUUID();
  let usedAt = Date.now();
  let open = 0;
  let abandoned: NodeJS.Timeout | undefined;

  const transport = new SdkTransport({
    sessionIdGenerator: () => id,
    eventStore: events.store satisfies EventStore,
    retryInterval: timing.retryMs,
    keepAliveMs: timing.keepAliveMs,
    maxRequestBodySize: maxRequestBytes,
    onsessioninitialized: () => onOpen(session),
  });
  const bound = await bind({
    endpoint,
    transport,
    connection: () => ({ id, entry: "http", token, owner: owner(id) }),
    onClient,
  });
  const sdkClosed = transport.onclose;
  transport.onclose = () => {
    clearTimeout(abandoned);
    bound.running.cancel();
    events.close();
    sdkClosed?.();
    onClose(session);
  };

  function connect(): void {
    open += 1;
    usedAt = Date.now();
    clearTimeout(abandoned);
  }

  // A broken connection is no cancellation, the client may come back for its stream. One that does not has vanished.
  function disconnect(): void {
    open -= 1;
    usedAt = Date.now();
    if (open === 0 && bound.running.size() > 0) abandoned = setTimeout(bound.running.cancel, timing.abandonMs).unref();
  }

  async function handle(request: Request, correlationId: string): Promise<Response> {
    connect();
    try {
      const authInfo = { token, clientId: token, scopes: [], extra: { correlationId } };
      const response = await transport.handleRequest(request, { authInfo });
      return tracked(response.status < 400 ? response : await withEnvelope(response, correlationId), disconnect);
    } catch (thrown) {
      disconnect();
      throw thrown;
    }
  }

  const session: HttpSession = {
    id,
    token,
    usedAt: () => usedAt,
    busy: () => bound.running.size() > 0,
    connected: () => open > 0,
    tick: events.prune,
    handle,
    settled: (ms) => bound.running.settled(ms),
    close: async () => {
      await bound.cancel(timing.graceMs);
      await bound.close();
    },
  };
  return session;
}
