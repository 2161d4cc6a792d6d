import { InvalidArgumentError } from "@llmc/errors";
import { heldOutput } from "./held-output.js";
import type { CommandContext } from "./launch/context.js";
import { factsOf, type CommandFacts } from "./result/facts.js";
import type { StreamBudget } from "./result/shorten.js";
import { streamsOf, type Streams } from "./result/streams.js";
import { runOnce, type OnceRequest, type Outcome } from "./run/run-once.js";
import { commandTimes, type TimeLimits } from "./run/times.js";

/** The operator's limits of a command, and the room in an answer. */
export interface CommandLimits extends TimeLimits {
  /** Most seconds that a caller can ask for. */
  readonly max: number;
  /** The largest payload of a handle. */
  readonly keptBytes: number;
  readonly budget: StreamBudget;
}

export interface LimitedContext extends CommandContext {
  readonly limits: CommandLimits;
}

export interface LimitedRequest extends Pick<OnceRequest, "command" | "cwd" | "env" | "tool"> {
  /** Seconds, where the caller named some. */
  readonly timeout: number | undefined;
  /** Seconds for a command whose caller named none; by default those of the limits. */
  readonly usual?: number;
}

/** Runs a command within the operator's limits. */
export async function runWithinLimits(
  { timeout, usual, ...command }: LimitedRequest,
  context: LimitedContext,
): Promise<Outcome> {
  const held = await heldOutput(command.command, context);
  if (held !== undefined) return held;
  const { limits, entry } = context;
  if (timeout !== undefined && timeout > limits.max)
    throw new InvalidArgumentError(`timeout is ${timeout} seconds, more than ${limits.max} seconds`, {
      id: "shorter-timeout",
      seconds: timeout,
      max: limits.max,
    });
  // Other clients cannot be told to come back for the command.
  const handOver = entry === "stdio" || entry === "http" ? limits.handOver : undefined;
  const times = commandTimes(timeout, { usual: usual ?? limits.usual, handOver });
  return await runOnce({ ...command, times, keptBytes: limits.keptBytes, use: "command" }, context);
}

/** Cuts the output of a command to the room of an answer. */
export async function resultOf(
  outcome: Outcome,
  context: LimitedContext,
): Promise<{ readonly streams: Streams; readonly facts: CommandFacts }> {
  const streams = await streamsOf(outcome, context.limits, context);
  return { streams, facts: factsOf(outcome, streams, context) };
}
