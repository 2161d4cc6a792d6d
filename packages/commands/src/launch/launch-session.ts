import type { LaunchRequest } from "@llmc/te-shell";
import type { Session } from "@llmc/toolkit";

/** Session of a launch. All commands of the same owner share a home and a temporary folder. */
export function launchSession({ id, owner, agentId, model }: Session): LaunchRequest["session"] {
  return { id, agentId, model, folders: owner };
}
