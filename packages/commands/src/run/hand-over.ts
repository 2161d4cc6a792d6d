import { OpsError } from "@llmc/errors";
import type { RunningCommand } from "@llmc/te-shell";
import { sessionKey } from "@llmc/toolkit";
import type { CommandContext } from "../launch/context.js";

export interface HandOver {
  /** As it was asked for. */
  readonly command: string;
  readonly cwd: string;
  /** The timeout that the caller named still ends it, so many milliseconds from now. */
  readonly endsInMs: number | undefined;
}

/** The id under which it lives on; undefined where there is no room for another one. */
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
