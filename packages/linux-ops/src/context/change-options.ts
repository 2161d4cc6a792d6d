import type { ChangeOptions } from "@llmc/te-undo";
import { sessionKey } from "@llmc/toolkit";
import type { LinuxOpsContext } from "./context.js";

/** Owner and session of a change, for the file operations. */
export function changeOptions(context: LinuxOpsContext): ChangeOptions {
  const { session, signal, progress } = context;
  return { owner: session.owner, session: sessionKey(context), signal, progress };
}
