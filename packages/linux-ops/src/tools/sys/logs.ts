import { momentOf } from "@llmc/te-system";
import { z } from "zod";
import { defineTool } from "../../context/context.js";
import { makeHandleId } from "../../answer/handle.js";
import { answerLogs, renderLogs } from "./answer-logs.js";
import { logsResult } from "./logs-result.js";
import { readLogs } from "./read-logs.js";

const PRIORITIES = ["emerg", "alert", "crit", "err", "warning", "notice", "info", "debug"] as const;
const text = (max: number) => z.string().min(1).max(max).optional();

export const sysLogs = defineTool({
  name: "linux.sys_logs",
  description: "The end of the system's log; similar lines are counted, rare and bad ones whole.",
  toolset: "sys",
  features: ["mcp.linux_ops.features.system_enabled", "mcp.linux_ops.features.logs_enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    unit: text(256).describe('Or "kernel".'),
    since: text(60).describe('"1h", "today" or a date'),
    until: text(60),
    priority: z.enum(PRIORITIES).optional(),
    grep: text(1000).describe('"a|b": either.'),
    lines: z.int().min(1).max(50_000).default(100),
    cursor: text(1000),
  }),
  unlisted: ["until", "priority", "cursor"],
  output: logsResult,
  logs: { args: ["unit", "since", "priority", "lines"], result: ["total", "from"] },

  async handler(args, context) {
    const page = await readLogs(
      {
        unit: args.unit,
        sinceMs: moment(args.since, "since"),
        untilMs: moment(args.until, "until"),
        priority: args.priority === undefined ? undefined : PRIORITIES.indexOf(args.priority),
        grep: args.grep,
        lines: args.lines,
        cursor: args.cursor,
      },
      context,
    );
    const { answer, full } = answerLogs(page);
    const payload = full === null ? null : Buffer.from(full);
    const fits = payload !== null && payload.length <= context.mcp.handles.max_payload_bytes;
    const handle = fits
      ? await makeHandleId(context, { type: "logs", meta: { kind: "logs", from: page.from }, payload })
      : null;
    return { ...answer, handle };
  },

  render: renderLogs,
});

function moment(given: string | undefined, field: string): number | undefined {
  return given === undefined ? undefined : momentOf(given, field);
}
