import type { LaunchRequest } from "@llmc/te-shell";
import type { Session } from "@llmc/toolkit";

/** Whose home and temporary folder a command sees: the same for all of a session. */
export function launchSession({ id, owner, agentId, model }: Session): LaunchRequest["session"] {
  return { id, agentId, model, folders: owner };
}
