import { z } from "zod";
import { body, commandFacts, factsOf, runWithinLimits, type Outcome } from "@llmc/commands";
import { plainText } from "@llmc/te-shell";
import { estimateTokens } from "@llmc/toolkit";
import { defineTool, type EnvelopeContext } from "../context.js";
import type { Told } from "../digest/tell.js";
import { runByScript } from "./external-te.js";
import { withHeader } from "./header.js";

/** Linux takes two megabytes of arguments in all. */
const word = z.string().max(131_072);

const output = z.strictObject({
  success: z.boolean().describe("The exit code is 0."),
  mode: z.enum(["enriched", "passthrough", "raw"]),
  command: z.string(),
  stdout: z.string().describe("Exactly as printed, unless there is a handle."),
  stderr: z.string(),
  exit_code: z.int().nullable().describe("124: timeout, 126 and 127: not executed, 128+n: signal n; null: it runs."),
  status: z.literal("RUNNING").optional(),
  proc_id: z.string().optional(),
  enrichment: z.strictObject({
    match_count: z.int().nullable(),
    truncated: z.boolean(),
    handle: z.string().nullable().describe("All of stdout, where it was shortened."),
    stderr_handle: z.string().nullable(),
    tokens_estimate: z.int(),
    recogniser: z.string().nullable(),
    marker: z.string().nullable().describe("What was left out and how to read it."),
  }),
  telemetry: z.strictObject({
    latency_ms: z.number(),
    agent_id: z.string(),
    budget_remaining: z.int().nullable(),
  }),
  facts: z.strictObject(commandFacts),
});

type Result = z.output<typeof output>;

export const teRun = defineTool({
  name: "te_run",
  description: "Run a command; shell syntax runs in bash. Long output comes shortened; raw: true: as it is.",
  toolset: "te",
  features: ["mcp.tools.enable_run_cmd"],
  standsFor: { tool: "run_cmd", setting: "mcp.te.enabled" },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    command: z.union([word.min(1), z.array(word).min(1).max(4096)]),
    cwd: z.string().min(1).max(16_384).optional(),
    env: z.record(z.string().max(256), z.string().max(131_072)).optional(),
    timeout: z.int().min(1).optional().describe("Seconds."),
    raw: z.boolean().optional(),
  }),
  output,
  logs: {
    args: ["cwd", "raw"],
    result: ["exit_code", "mode", "enrichment.recogniser", "facts.sandbox", "facts.limit"],
  },

  async handler({ command, cwd, env, timeout, raw = false }, context) {
    const asked = typeof command === "string" ? { line: command } : { argv: command };
    const request = { command: asked, cwd, env, timeout, usual: context.te.timeout, tool: "te_run" };
    const isOwn = context.te.script_path === "" || raw || !context.te.enabled;
    const external = isOwn ? undefined : await runByScript(request, context);
    const outcome = external?.outcome ?? (await runWithinLimits(request, context));
    // Imports the grammars late, because a start waits for every module.
    const [{ tell }, { recordTold }] = await Promise.all([import("../digest/tell.js"), import("../digest/record.js")]);
    const start = performance.now();
    const budget = context.budgets.of(context);
    const { share, note } = budget;
    const told = await tell(outcome, { command, isRaw: !isOwn || raw || !context.te.enabled, share, note }, context);
    recordTold(command, outcome, told, start, context);
    const line = typeof command === "string" ? command : command.join(" ");
    const own = resultOf(line, outcome, { ...told, mode: external?.mode ?? told.mode }, context);
    const result = { ...own, enrichment: { ...own.enrichment, match_count: external?.matchCount ?? null } };
    const budget_remaining = budget.spend(render(result));
    return { ...result, telemetry: { ...result.telemetry, budget_remaining } };
  },

  render,
});

function render({
  stdout,
  stderr,
  exit_code: code,
  proc_id: id,
  enrichment: { marker },
  facts,
}: Omit<Result, "telemetry">): string {
  const verdict = code === null ? `still running as ${id}` : code === 124 ? "exit 124 (timeout)" : `exit ${code}`;
  return withHeader({ verdict: code === 0 ? undefined : verdict, marker, facts }, plainText(body(stdout, stderr)));
}

function resultOf(command: string, outcome: Outcome, { stdout, stderr, ...told }: Told, context: EnvelopeContext) {
  const { exitCode, procId, durationMs } = outcome;
  return {
    success: exitCode === 0,
    mode: told.mode,
    command,
    stdout: stdout.text,
    stderr: stderr.text,
    exit_code: exitCode,
    ...(procId === undefined ? {} : { status: "RUNNING" as const, proc_id: procId }),
    enrichment: {
      match_count: null,
      truncated: told.truncated,
      handle: stdout.handle,
      stderr_handle: stderr.handle,
      tokens_estimate: estimateTokens(stdout.text) + estimateTokens(stderr.text),
      recogniser: told.recogniser,
      marker: told.marker,
    },
    telemetry: { latency_ms: durationMs, agent_id: context.session.agentId },
    facts: factsOf(outcome, { stdout: "", stderr: "" }, context),
  };
}
