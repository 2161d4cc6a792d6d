import { OpsError } from "@llmc/errors";
import type { RunningCommand } from "@llmc/te-shell";
import { sessionKey } from "@llmc/toolkit";
import type { CommandContext } from "../launch/context.js";

export interface HandOver {
  /** The command as the model wrote it. */
  readonly command: string;
  readonly cwd: string;
  /** Milliseconds until the caller's own time-out ends the process. */
  readonly endsInMs: number | undefined;
}

/** Returns the id of the managed process, or undefined when the session has no room for another process. */
export function handOver(
  running: RunningCommand,
  { command, cwd, endsInMs }: HandOver,
  context: CommandContext,
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
