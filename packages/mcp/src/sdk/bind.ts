import { setImmediate as nextTurn } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Result } from "@modelcontextprotocol/sdk/types.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Endpoint } from "../endpoint/endpoint.js";
import type { ClientInfo } from "../protocol/options.js";
import { createRunning, type Running } from "../endpoint/running.js";
import type { Connection } from "../protocol/session.js";
import { askThrough } from "./ask.js";
import { noFieldsValidator } from "./validator.js";

export interface Bound {
  readonly running: Running;
  /** Cancels what runs and gives it `graceMs` to come to its end, which is still answered. */
  cancel(graceMs: number): Promise<void>;
  close(): Promise<void>;
}

export interface BindOptions {
  readonly endpoint: Endpoint;
  readonly transport: Transport;
  /** Asked at each request: an HTTP session has its id only after the handshake. */
  readonly connection: () => Connection;
  readonly onClient: ((client: ClientInfo, sessionId: string) => void) | undefined;
}

/** Puts an endpoint behind the SDK's handshake, framing and bookkeeping of requests. */
export async function bind({ endpoint, transport, connection, onClient }: BindOptions): Promise<Bound> {
  const { serverInfo, instructions, resources } = endpoint;
  const server = new Server(serverInfo, {
    capabilities: { tools: {}, ...(resources ? { resources: {} } : {}) },
    instructions,
    jsonSchemaValidator: noFieldsValidator,
  });
  const running = createRunning();

  // One handler for all methods: the endpoint checks its own parameters, and answers our envelope where they are wrong.
  server.fallbackRequestHandler = (request, extra) =>
    running.run(
      extra.signal,
      (controller) =>
        endpoint.answer({
          method: request.method,
          params: request.params ?? {},
          connection: connection(),
          client: server.getClientVersion(),
          controller,
          correlationId: extra.authInfo?.extra?.["correlationId"] as string | undefined,
          ask: askThrough(server, extra.requestId),
          sendProgress: (progressToken, update) => {
            extra
              .sendNotification({ method: "notifications/progress", params: { progressToken, ...update } })
              // The client is gone or going; the call's own end deals with that.
              .catch(() => {});
          },
        }) as Promise<Result>,
    );
  server.oninitialized = () => {
    const client = server.getClientVersion();
    if (client !== undefined) onClient?.(client, connection().id);
  };

  await spendFirstId(server);
  await server.connect(transport);
  return {
    running,
    cancel: async (graceMs) => {
      running.cancel();
      await running.settled(graceMs);
      // The SDK sends an answer some microtasks after its call has ended.
      await nextTurn();
    },
    close: () => server.close(),
  };
}

/** SDK clients ignore the withdrawal of a question with the id 0, the first that a server gives: it is used up here. */
async function spendFirstId(server: Server): Promise<void> {
  await server.connect({
    start: async () => {},
    send: async () => {},
    close: async () => server.transport?.onclose?.(),
  });
  const dropped = server.ping().catch(() => {});
  await server.close();
  await dropped;
}
