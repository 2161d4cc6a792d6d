import { Client, type ClientOptions } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { createEndpoint } from "../src/endpoint/endpoint.js";
import { bind, type Bound } from "../src/sdk/bind.js";
import type { Demo } from "./demo.js";

export const CONNECTION = { id: "session-1", entry: "stdio", token: "local", owner: "user:1000" } as const;

export interface Connected extends AsyncDisposable {
  readonly client: Client;
  readonly bound: Bound;
  /** Every message that the server sent, as it came. */
  readonly sent: Record<string, unknown>[];
}

export async function connect(
  demo: Demo,
  {
    name = "test",
    capabilities = {},
  }: { name?: string; capabilities?: NonNullable<ClientOptions["capabilities"]> } = {},
  prepare: (client: Client) => void = () => {},
): Promise<Connected> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const sent: Record<string, unknown>[] = [];
  const send = serverSide.send.bind(serverSide);
  serverSide.send = (message, options) => {
    sent.push(structuredClone(message) as Record<string, unknown>);
    return send(message, options);
  };
  const bound = await bind({
    endpoint: createEndpoint(demo.options),
    transport: serverSide,
    connection: () => CONNECTION,
    onClient: demo.options.onClient,
  });
  const client = new Client({ name, version: "9.9" }, { capabilities });
  prepare(client);
  await client.connect(clientSide);
  return {
    client,
    bound,
    sent,
    [Symbol.asyncDispose]: async () => {
      await client.close();
    },
  };
}
