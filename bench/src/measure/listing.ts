import type { McpServer } from "./mcp-server.js";

/** Tokens that a session costs before the first call. */
export interface Listing {
  /** Tokens of each tool's name, description and input schema, which are in the context of every session. */
  readonly seen: readonly number[];
  readonly wire: number;
  readonly instructions: number;
}

interface Listed {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: object;
}

export async function listingOf(server: McpServer, countTokens: (text: string) => number): Promise<Listing> {
  const listing = await server.request("tools/list", {});
  const tools = listing["tools"] as readonly Listed[];
  return {
    seen: tools.map(({ name, description, inputSchema }) =>
      countTokens(JSON.stringify({ name, description, inputSchema })),
    ),
    wire: countTokens(JSON.stringify(listing)),
    instructions: countTokens(server.instructions),
  };
}
