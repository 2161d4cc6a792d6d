import type { ManagedProcesses } from "@llmc/te-process";
import { sessionKey, type Middleware } from "@llmc/toolkit";

/** Innermost: a call that reaches its tool keeps the managed processes of its session from being ended as idle. */
export function idleClock(managed: ManagedProcesses): Middleware {
  return (call, next) => {
    if (call.tool !== undefined) managed.called(sessionKey(call), call.entry === "stdio");
    return next();
  };
}
