import { CLIENTS, UNKNOWN_CLIENT, type ClientTraits } from "./client-table.js";

// The longest first, so that "claude-code" is not taken for "claude".
const ENTRIES = Object.entries(CLIENTS).toSorted(([a], [b]) => b.length - a.length);

/** `name` is what the client calls itself; before its handshake there is none. */
export function traitsOf(name: string | undefined): ClientTraits {
  const given = (name ?? "").toLowerCase();
  return ENTRIES.find(([prefix]) => given.startsWith(prefix))?.[1] ?? UNKNOWN_CLIENT;
}
