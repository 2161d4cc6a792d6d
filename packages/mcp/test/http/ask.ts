import type { HttpMcp } from "../../src/index.js";

export type Json = Readonly<Record<string, unknown>>;

export const ACCEPT = "application/json, text/event-stream";
export const VERSION = "2025-11-25";

export interface AskOptions {
  readonly method?: string;
  readonly token?: string;
  readonly session?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** One request as a client would make it, without a client. */
export function ask(mcp: HttpMcp, { method = "POST", token = "default", session, headers, body }: AskOptions) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const request = new Request("http://127.0.0.1/mcp", {
    method,
    headers: {
      accept: ACCEPT,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(session === undefined ? {} : { "mcp-session-id": session, "mcp-protocol-version": VERSION }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: text }),
  });
  return mcp.handle(request, { token });
}

export const rpc = (id: number | string, method: string, params: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});
export const toolCall = (id: number | string, name: string, args: object = {}) =>
  rpc(id, "tools/call", { name, arguments: args });

const HELLO = rpc(1, "initialize", {
  protocolVersion: VERSION,
  capabilities: {},
  clientInfo: { name: "asker", version: "1" },
});

/** Opens a session and gives its id. */
export async function open(mcp: HttpMcp, token = "default"): Promise<string> {
  const response = await ask(mcp, { token, body: HELLO });
  const id = response.headers.get("mcp-session-id");
  if (response.status !== 200 || id === null) throw new Error(`no session: ${response.status}`);
  await response.text();
  return id;
}

export interface SseEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** The events of a stream, one by one; the rest of them is given up with the generator. */
export async function* eventsOf(response: Response): AsyncGenerator<SseEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, "m").exec(block)?.[1];
      if (block.startsWith(":")) yield { id: undefined, data: block };
      else yield { id: field("id"), data: field("data") ?? "" };
    }
  }
}

/** What a POST's stream says, the empty first event aside. */
export async function messagesOf(response: Response): Promise<Json[]> {
  const all: Json[] = [];
  for await (const { data } of eventsOf(response)) if (data !== "" && !data.startsWith(":")) all.push(JSON.parse(data));
  return all;
}
