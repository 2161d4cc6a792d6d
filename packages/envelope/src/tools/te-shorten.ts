import { z } from "zod";
import { defineTool } from "../context.js";

const text = z.string().max(64 * 1024 * 1024);

export const teShorten = defineTool({
  name: "te_shorten",
  description: "For a hook of a client with a shell of its own: the output of its command, shortened.",
  toolset: "compat",
  features: ["mcp.te.enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    command: z.string().max(131_072),
    exit_code: z
      .union([z.int(), z.string().max(100)])
      .optional()
      .describe("Missing: not taken for a success."),
    stdout: text,
    stderr: text,
  }),
  output: z.strictObject({
    hookSpecificOutput: z.strictObject({
      hookEventName: z.literal("PostToolUse"),
      updatedToolOutput: z.strictObject({
        stdout: z.string(),
        stderr: z.string(),
        interrupted: z.boolean(),
      }),
    }),
  }),
  logs: { args: ["exit_code"] },

  async handler({ command, exit_code, stdout, stderr }, context) {
    const { shortened } = await import("../digest/shortened.js");
    const code = typeof exit_code === "string" ? Number.parseInt(exit_code, 10) : (exit_code ?? Number.NaN);
    const told = await shortened({ command, stdout, stderr, exitCode: Number.isNaN(code) ? null : code }, context);
    return {
      hookSpecificOutput: { hookEventName: "PostToolUse" as const, updatedToolOutput: { ...told, interrupted: false } },
    };
  },

  // The client drops any other text without a word.
  render: (result) => JSON.stringify(result),
});
