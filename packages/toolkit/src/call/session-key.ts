import type { CallContext } from "./call.js";

/**
 * Names the session that reads, changes and starts things. Over stdio the owner is the user of the system and outlives
 * this process, but two chat windows are two sessions of that one owner.
 */
export function sessionKey({ entry, session }: Pick<CallContext, "entry" | "session">): string {
  return entry === "stdio" ? session.id : session.owner;
}
