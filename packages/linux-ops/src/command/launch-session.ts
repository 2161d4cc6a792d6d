import type { LaunchRequest } from "@llmc/te-shell";
import type { LinuxOpsContext } from "../context.js";

/** Whose home and temporary folder a command sees: the same for all of a session. */
export function launchSession({ id, owner, agentId, model }: LinuxOpsContext["session"]): LaunchRequest["session"] {
  return { id, agentId, model, folders: owner };
}
