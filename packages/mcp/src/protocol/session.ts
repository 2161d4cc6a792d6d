import type { Settings } from "@llmc/config";
import type { Entry, Session } from "@llmc/toolkit";
import type { ClientInfo } from "./options.js";

/** What an entry knows of its caller before the client has said a word. */
export interface Connection {
  readonly id: string;
  readonly entry: Entry;
  readonly token: string;
  readonly owner: string;
}

const MAX_LABEL = 100;

/** `_meta.llmc` labels one call for telemetry. Whose call it is comes from the connection alone. */
export function sessionOf(
  connection: Connection,
  client: ClientInfo | undefined,
  meta: Readonly<Record<string, unknown>>,
  { session }: Settings["mcp"],
): Session {
  const labels = (meta["llmc"] ?? {}) as Readonly<Record<string, unknown>>;
  return {
    id: connection.id,
    agentId: label(labels["agent_id"]) ?? label(client?.name) ?? session.default_agent_id,
    model: label(labels["model"]) ?? session.default_model,
    client: label(client?.name),
    budgetProfile: label(labels["budget_profile"]),
    token: connection.token,
    owner: connection.owner,
  };
}

function label(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, MAX_LABEL) : undefined;
}
