import type { ChangeOptions } from "@llmc/te-undo";
import type { LinuxOpsContext } from "../context.js";

/**
 * Over stdio what was kept belongs to the user of the system and outlives this process, but what a session last read
 * and changed is its own: two chat windows are two sessions of one owner.
 */
export function sessionKey({ entry, session }: Pick<LinuxOpsContext, "entry" | "session">): string {
  return entry === "stdio" ? session.id : session.owner;
}

/** Who asks for a change, as the file tools want to know it. */
export function asker(context: LinuxOpsContext): ChangeOptions {
  const { session, signal, progress } = context;
  return { owner: session.owner, session: sessionKey(context), signal, progress };
}
