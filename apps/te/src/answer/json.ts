import type { Told } from "@llmc/envelope";
import type { KeptOutput } from "@llmc/te-shell";
import { estimateTokens } from "@llmc/toolkit";
import { shortened, type Printed, type ShortenOptions } from "./shortened.js";

export interface JsonOptions extends ShortenOptions {
  readonly raw: boolean;
  readonly agentId: string;
  readonly latencyMs: number;
}

/** Returns the result of a command as one line of JSON, in the form that te_run has. */
export async function jsonOf(printed: Printed, options: JsonOptions): Promise<string> {
  const { command, raw, agentId, latencyMs } = options;
  const told = raw ? undefined : await shortened(printed, options);
  const streams = told === undefined ? whole(printed) : shown(told);
  const { stdout, stderr, truncated, handle, stderrHandle } = streams;
  const result = {
    success: printed.exitCode === 0,
    mode: told?.mode ?? "raw",
    command: typeof command === "string" ? command : command.join(" "),
    stdout,
    stderr,
    exit_code: printed.exitCode,
    enrichment: {
      match_count: null,
      truncated,
      handle,
      ...(stderrHandle === null ? {} : { stderr_handle: stderrHandle }),
      tokens_estimate: estimateTokens(stdout) + estimateTokens(stderr),
    },
    telemetry: { latency_ms: Math.round(latencyMs * 10) / 10, agent_id: agentId, budget_remaining: null },
  };
  return `${JSON.stringify(result)}\n`;
}

interface JsonStreams {
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  readonly handle: string | null;
  readonly stderrHandle: string | null;
}

function shown({ stdout, stderr }: Told): JsonStreams {
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    truncated: stdout.isChanged || stderr.isChanged,
    handle: stdout.handle,
    stderrHandle: stderr.handle,
  };
}

function whole({ stdout, stderr }: Printed): JsonStreams {
  const truncated = stdout.lost > 0 || stderr.lost > 0;
  return { stdout: textOf(stdout), stderr: textOf(stderr), truncated, handle: null, stderrHandle: null };
}

function textOf(kept: KeptOutput): string {
  const gap = kept.lost > 0 ? `\n… [${kept.lost} bytes were not kept] …\n` : "";
  return `${kept.head().toString()}${gap}${kept.tail().toString()}`;
}
