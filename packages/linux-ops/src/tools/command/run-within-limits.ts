import { InvalidArgumentError } from "@llmc/errors";
import { factsOf, runOnce, type OnceRequest, streamsOf, commandTimes, type TimeLimits } from "@llmc/commands";
import type { LinuxOpsContext } from "../../context/context.js";
import { DEFAULT_BUDGET } from "../../answer/budget.js";

interface ToolCommand extends Pick<OnceRequest, "command" | "cwd" | "env" | "tool"> {
  /** Seconds, where the caller named some. */
  readonly timeout: number | undefined;
}

/** Runs a command within the operator's limits, and cuts its output to the budget of an answer. */
export async function runWithinLimits({ timeout, ...command }: ToolCommand, context: LinuxOpsContext) {
  demandAllowed(timeout, context);
  const keptBytes = context.mcp.handles.max_payload_bytes;
  const times = commandTimes(timeout, limitsOf(context));
  const { process_limits: limits, features } = context.mcp.linux_ops;
  const words = {
    moreTime: "timeout=SECONDS allows more",
    comeBack: (id: string) => `${waitCall(id, limits.max_timeout_sec)} waits for its end`,
    keepRunning: features.repl_enabled ? "linux_proc_start keeps a program" : undefined,
    hintOf: context.hintOf,
  };
  const outcome = await runOnce({ ...command, times, keptBytes, use: "command" }, context);
  const streams = await streamsOf(outcome, { budget: DEFAULT_BUDGET, keptBytes }, context);
  return { outcome, streams, facts: factsOf(outcome, streams, words) };
}

function demandAllowed(timeout: number | undefined, { mcp }: LinuxOpsContext): void {
  const max = mcp.linux_ops.process_limits.max_timeout_sec;
  if (timeout === undefined || timeout <= max) return;
  const seconds = Math.ceil(timeout / 1000);
  throw new InvalidArgumentError(
    `timeout is ${timeout} seconds, more than ${max} seconds`,
    timeout >= 1000 && seconds <= max
      ? `timeout is in seconds: for ${timeout} ms pass timeout: ${seconds}.`
      : "The operator can raise mcp.linux_ops.process_limits.max_timeout_sec.",
  );
}

/** Longest wait to advise, because clients drop a call after 60 seconds. */
const LONGEST_WAIT_MS = 45_000;

function waitCall(procId: string, maxSeconds: number): string {
  const wait = Math.min(LONGEST_WAIT_MS, Math.floor(maxSeconds * 1000));
  return `linux_proc_read ${JSON.stringify({ proc_id: procId, timeout_ms: wait })}`;
}

/** Hands over only for MCP clients, because no other client can be told to come back for the command. */
function limitsOf({ entry, mcp }: LinuxOpsContext): TimeLimits {
  const { process_limits: limits, features } = mcp.linux_ops;
  const canComeBack = (entry === "stdio" || entry === "http") && features.repl_enabled;
  return { usual: mcp.tools.exec_timeout, handOver: canComeBack ? limits.auto_background_after : undefined };
}
