import { z } from "zod";
import { body, commandFacts, headline, resultOf, runWithinLimits, type Outcome } from "@llmc/commands";
import { defineTool } from "../../context/context.js";
import { path } from "../../context/fields.js";

export const execCli = defineTool({
  name: "EXEC_CLI",
  description: "Run a line in bash.",
  toolset: "linuxagent",
  features: ["mcp.tools.enable_run_cmd"],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    command: z.string().min(1).max(131_072),
    timeout: z.int().min(1).max(604_800).optional().describe("Seconds."),
    working_directory: path.optional(),
  }),
  output: z.strictObject({
    stdout: z.string(),
    stderr: z.string(),
    exit_code: z.int().nullable(),
    command: z.string(),
    execution_time: z.number().describe("Seconds."),
    timestamp: z.string(),
    status: z.enum(["SUCCESS", "ERROR", "TIMEOUT", "RUNNING"]),
    proc_id: z.string().optional(),
    ...commandFacts,
  }),
  logs: { args: ["working_directory"], result: ["exit_code", "status", "sandbox", "limit"] },

  async handler({ command, timeout, working_directory: cwd }, context) {
    const timestamp = new Date().toISOString();
    const asked = { line: command, isShell: true };
    const outcome = await runWithinLimits({ command: asked, cwd, timeout, tool: "EXEC_CLI" }, context);
    const { streams, facts } = await resultOf(outcome, context);
    const { exitCode, durationMs, procId } = outcome;
    return {
      ...facts,
      stdout: streams.stdout,
      stderr: streams.stderr,
      exit_code: exitCode,
      command,
      execution_time: durationMs / 1000,
      timestamp,
      status: statusOf(outcome),
      ...(procId === undefined ? {} : { proc_id: procId }),
    };
  },

  render({ stdout, stderr, exit_code: code, status, proc_id: id, ...facts }) {
    const verdict = code === null ? `RUNNING as ${id}` : `${status}, exit ${code}`;
    return `${headline(verdict, facts)}\n${body(stdout, stderr)}`;
  },
});

function statusOf({ exitCode, timedOut }: Outcome): "SUCCESS" | "ERROR" | "TIMEOUT" | "RUNNING" {
  if (exitCode === null) return "RUNNING";
  if (timedOut) return "TIMEOUT";
  return exitCode === 0 ? "SUCCESS" : "ERROR";
}
