import type { ChangeOptions } from "@llmc/te-undo";
import { sessionKey } from "@llmc/toolkit";
import type { LinuxOpsContext } from "./context.js";

/** Who asks for a change, as the file tools want to know it. */
export function asker(context: LinuxOpsContext): ChangeOptions {
  const { session, signal, progress } = context;
  return { owner: session.owner, session: sessionKey(context), signal, progress };
}
