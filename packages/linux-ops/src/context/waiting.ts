import type { McpConfig } from "@llmc/config";
import { InvalidArgumentError } from "@llmc/errors";

/** How long a call may wait: no longer than any other program may take. */
export function waitOf(ms: number, { linux_ops }: McpConfig, name = "wait_ms"): number {
  const { max_timeout_sec } = linux_ops.process_limits;
  if (ms <= max_timeout_sec * 1000) return ms;
  throw new InvalidArgumentError(
    `${name} is ${ms}; at most ${max_timeout_sec * 1000} is allowed`,
    "mcp.linux_ops.process_limits.max_timeout_sec bounds it: ask again when it is over.",
  );
}
