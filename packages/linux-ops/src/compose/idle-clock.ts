import type { ManagedProcesses } from "@llmc/te-process";
import { sessionKey, type Middleware } from "@llmc/toolkit";

/** Innermost middleware, so that only a call that reaches its tool keeps its session's managed processes alive. */
export function idleClock(managed: ManagedProcesses): Middleware {
  return (call, next) => {
    if (call.tool !== undefined) managed.called(sessionKey(call), call.entry === "stdio");
    return next();
  };
}
