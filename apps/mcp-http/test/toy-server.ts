import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { settingsOf } from "@llmc/config";
import { createHttpMcp, createRunning } from "@llmc/mcp";
import { createAccess, createDispatcher, parseArguments, toolFactory, type CallContext } from "@llmc/toolkit";
import { z } from "zod";
import { onTestFinished } from "vitest";
import { createApp, type Answered } from "../src/app.js";
import { createBoundedServer } from "../src/server/server.js";

type Handler = (args: Readonly<Record<string, unknown>>, context: CallContext) => Promise<object>;

export interface Toy {
  readonly base: string;
  readonly answered: Answered[];
  post(body: object, init?: RequestInit): Promise<Response>;
}

const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export interface ToyOptions {
  readonly enveloped?: true;
  readonly token?: string | null;
  readonly limits?: { readonly rate_limit_rps?: number; readonly rate_limit_burst?: number };
}

/** The app itself around one tool, `toy`, without a process of its own. */
export async function toyServer(
  handler: Handler,
  { limits: own, token = null, ...more }: ToyOptions = {},
): Promise<Toy> {
  const settings = settingsOf({ mcp: { limits: { rate_limit_rps: 1_000_000, rate_limit_burst: 1_000_000, ...own } } });
  const toy = toolFactory<CallContext>()({
    name: "toy",
    description: "Does what a test wants.",
    toolset: "fs",
    features: [],
    annotations: ANNOTATIONS,
    input: z.looseObject({}),
    output: z.looseObject({}),
    ...more,
    handler: async (args, context) => ({ ...(await handler(args, context)) }),
  });
  const dispatcher = createDispatcher({ tools: [toy], contextOf: (call) => call, middleware: [parseArguments()] });
  const access = createAccess({
    toolsets: ["all"],
    allow: [],
    deny: [],
    readOnly: false,
    enabled: () => true,
    settings: { allow: "allow", deny: "deny", readOnly: "read_only" },
  });
  const mcp = createHttpMcp({ dispatcher, access, settings, version: "1.0.0" });
  const answered: Answered[] = [];
  const app = createApp({
    settings,
    dispatcher,
    mcp,
    running: createRunning(),
    token,
    version: "1.0.0",
    metrics: () => "llmc_toys 1\n",
    onAnswer: (one) => answered.push(one),
  });
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const limits = { maxHeaderBytes: 16_384, headersMs: 5000, requestMs: 5000, keepAliveMs: 1000, maxConnections: 10 };
  const server = createBoundedServer((incoming, outgoing) => void listener(incoming, outgoing), limits, null);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await mcp.close();
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const post = (body: object, init: RequestInit = {}) =>
    fetch(`${base}/tool`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      ...init,
    });
  return { base, answered, post };
}
