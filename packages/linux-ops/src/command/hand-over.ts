import { OpsError } from "@llmc/errors";
import type { RunningCommand } from "@llmc/te-shell";
import { sessionKey } from "@llmc/toolkit";
import type { LinuxOpsContext } from "../context.js";

export interface HandOver {
  /** As it was asked for. */
  readonly command: string;
  readonly cwd: string;
  /** The timeout that the caller named still ends it, so many milliseconds from now. */
  readonly endsInMs: number | undefined;
}

/** After how many seconds a command of this call becomes a managed process; undefined: never. */
export function handsOverAfter(explicit: number | undefined, { entry, mcp }: LinuxOpsContext): number | undefined {
  const { process_limits: limits, features } = mcp.linux_ops;
  // Only who speaks MCP to us can be told to come back for it.
  if ((entry !== "stdio" && entry !== "http") || !features.repl_enabled) return undefined;
  if (explicit === undefined) return mcp.tools.exec_timeout;
  return explicit > limits.auto_background_after ? limits.auto_background_after : undefined;
}

/** The id under which it lives on; undefined where there is no room for another one. */
export function handOver(
  running: RunningCommand,
  { command, cwd, endsInMs }: HandOver,
  context: LinuxOpsContext,
): string | undefined {
  const { managed } = context;
  const owner = sessionKey(context);
  try {
    managed.demandRoom(owner);
  } catch (thrown) {
    if (OpsError.is(thrown) && thrown.code === "PROC_LIMIT") return undefined;
    throw thrown;
  }
  const { stdout, stderr, launch } = running;
  const printed = [stdout.head(), stdout.tail(), stderr.head(), stderr.tail()].filter((bytes) => bytes.length > 0);
  return managed.adopt({ owner, command, cwd, launch, started: running.adopt(), printed, endsInMs }).id;
}
