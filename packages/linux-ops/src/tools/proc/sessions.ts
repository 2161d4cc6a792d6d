import type { ManagedProcess } from "@llmc/te-process";
import { sessionKey } from "@llmc/toolkit";
import { z } from "zod";
import { defineTool } from "../../context/context.js";
import { header } from "../../answer/header.js";

const MAX_COMMAND = 300;

export const procSessions = defineTool({
  name: "linux.proc_sessions",
  description: "List the programs that this session started.",
  toolset: "repl",
  features: ["mcp.linux_ops.features.repl_enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({}),
  output: z.strictObject({
    processes: z.array(
      z.strictObject({
        proc_id: z.string(),
        pid: z.int().nullable(),
        command: z.string(),
        cwd: z.string(),
        state: z.enum(["running", "exited"]),
        started: z.string(),
        last_activity: z.string(),
        unread_bytes: z.int(),
      }),
    ),
  }),

  async handler(_args, context) {
    return { processes: context.managed.list(sessionKey(context)).map(shown) };
  },

  render({ processes }) {
    const lines = processes.map(
      ({ proc_id, pid, command, cwd, state, unread_bytes }) =>
        `${proc_id} ${state} pid ${pid ?? "-"} ${command} (${cwd}${unread_bytes === 0 ? "" : `, ${unread_bytes} bytes unread`})`,
    );
    return [header(`${processes.length} of this session`, []), ...lines].join("\n");
  },
});

function shown({ id, pid, command, cwd, state, startedAt, lastActivityAt, unread }: ManagedProcess) {
  return {
    proc_id: id,
    pid: pid ?? null,
    command: command.replaceAll("\n", "\\n").slice(0, MAX_COMMAND),
    cwd,
    state,
    started: new Date(startedAt).toISOString(),
    last_activity: new Date(lastActivityAt).toISOString(),
    unread_bytes: unread,
  };
}
