/** Tokens of a tool's result that a client shows to its model at most, by the beginning of the client's name. */
const CAPS: Readonly<Record<string, number>> = {
  // MAX_MCP_OUTPUT_TOKENS, unless the user set another value.
  "claude-code": 25_000,
};

/** Returns null for a client without a known cap. */
export function clientCap(client: string | null): number | null {
  const name = (client ?? "").toLowerCase();
  return Object.entries(CAPS).find(([prefix]) => name.startsWith(prefix))?.[1] ?? null;
}
