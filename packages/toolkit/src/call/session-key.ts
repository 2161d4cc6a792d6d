import type { CallContext } from "./call.js";

/**
 * Returns the key of the session that reads, changes and starts things. Over stdio that is the id, because the owner is
 * the user of the system, who may have several chat windows.
 */
export function sessionKey({ entry, session }: Pick<CallContext, "entry" | "session">): string {
  return entry === "stdio" ? session.id : session.owner;
}
