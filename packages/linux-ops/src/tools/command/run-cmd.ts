import { z } from "zod";
import { body, commandFacts, headline, resultOf, runWithinLimits } from "@llmc/commands";
import { defineTool } from "../../context/context.js";
import { path } from "../../context/fields.js";

/** Linux takes two megabytes of arguments in all. */
const word = z.string().max(131_072);

export const runCmd = defineTool({
  name: "run_cmd",
  description: "Run a command; shell syntax runs in bash.",
  // In the default listing until te_run takes its place.
  toolset: "te",
  features: ["mcp.tools.enable_run_cmd"],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    command: z.union([word.min(1), z.array(word).min(1).max(4096)]),
    cwd: path.optional(),
    env: z.record(z.string().max(256), z.string().max(131_072)).optional(),
    timeout: z.int().min(1).optional().describe("Seconds."),
  }),
  output: z.strictObject({
    data: z.strictObject({
      stdout: z.string(),
      stderr: z.string(),
      exit_code: z
        .int()
        .nullable()
        .describe("124: timeout, 126 and 127: not executed, 128+n: signal n; null: it runs."),
      status: z.literal("RUNNING").optional(),
      proc_id: z.string().optional(),
    }),
    meta: z.strictObject(commandFacts),
  }),
  logs: { args: ["cwd"], result: ["data.exit_code", "meta.sandbox", "meta.limit"] },
  enveloped: true,

  async handler({ command, cwd, env, timeout }, context) {
    const asked = typeof command === "string" ? { line: command } : { argv: command };
    const outcome = await runWithinLimits({ command: asked, cwd, env, timeout, tool: "run_cmd" }, context);
    const { streams, facts } = await resultOf(outcome, context);
    return {
      data: {
        stdout: streams.stdout,
        stderr: streams.stderr,
        exit_code: outcome.exitCode,
        ...(outcome.procId === undefined ? {} : { status: "RUNNING" as const, proc_id: outcome.procId }),
      },
      meta: facts,
    };
  },

  render({ data: { stdout, stderr, exit_code: code, proc_id: id }, meta }) {
    const verdict = code === null ? `still running as ${id}` : code === 124 ? "exit 124 (timeout)" : `exit ${code}`;
    return `${headline(verdict, meta)}\n${body(stdout, stderr)}`;
  },
});
