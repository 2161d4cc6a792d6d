import type { ManagedProcess } from "@llmc/te-process";
import { sessionKey } from "@llmc/toolkit";
import { z } from "zod";
import { defineTool } from "../../context/context.js";
import { waitOf } from "../../context/waiting.js";
import { header } from "../../answer/header.js";
import { answerOf, endedBefore, stateNotes } from "./managed/answer.js";
import { procId, waitMs } from "./managed/fields.js";

export const procStop = defineTool({
  name: "linux.proc_stop",
  description: "End a program with all that it started.",
  toolset: "repl",
  features: ["mcp.linux_ops.features.repl_enabled"],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    proc_id: procId,
    signal: z.enum(["TERM", "KILL", "INT", "HUP", "QUIT"]).default("TERM"),
    grace_ms: waitMs.default(2000),
  }),
  unlisted: ["signal", "grace_ms"],
  output: z.strictObject({
    stopped: z.boolean(),
    state: z.enum(["running", "exited"]),
    exit_code: z.int().nullable(),
    signal: z.string().nullable(),
    output: z.string().describe("What was not read yet."),
    unread_bytes: z.int().optional().describe("More of it, which is gone with the process."),
    survivors: z.array(z.int()).optional().describe("Pids that even SIGKILL did not end."),
    had_ended: z.boolean().optional().describe("It had ended before the call."),
  }),
  logs: { args: ["proc_id", "signal"], result: ["stopped", "exit_code"] },

  async handler({ proc_id, signal, grace_ms }, context) {
    const { managed, mcp } = context;
    const owner = sessionKey(context);
    const before = managed.endOf(owner, proc_id);
    if (before !== undefined) return endedResult(before);
    const process = managed.demand(owner, proc_id);
    using _own = context.files.ownWork(owner);
    const hadEnded = process.state === "exited";
    const survivors = await process.stop(waitOf(grace_ms, mcp, "grace_ms"), `SIG${signal}`);
    const { text, state, fields } = answerOf(process, undefined);
    if (state === "exited") managed.remove(owner, proc_id);
    return {
      stopped: state === "exited",
      state,
      exit_code: fields.exit_code ?? null,
      signal: fields.signal ?? null,
      output: text,
      ...(fields.unread_bytes === undefined ? {} : { unread_bytes: fields.unread_bytes }),
      ...(survivors.length === 0 ? {} : { survivors: [...survivors] }),
      ...(hadEnded ? { had_ended: true } : {}),
    };
  },

  render({ output, survivors, unread_bytes, had_ended, ...rest }, { proc_id }) {
    const notes = had_ended === true ? [] : stateNotes(rest);
    if (unread_bytes !== undefined) notes.push(`${unread_bytes} bytes more are gone`);
    if (survivors !== undefined) notes.push(`still alive: ${survivors.join(", ")}`);
    const line = header(had_ended === true ? endedBefore(proc_id, rest) : proc_id, notes);
    return output === "" ? line : `${line}\n${output}`;
  },
});

function endedResult({ exitCode, signal }: NonNullable<ManagedProcess["end"]>) {
  return { stopped: true, state: "exited" as const, exit_code: exitCode, signal, output: "", had_ended: true };
}
