import { InvalidArgumentError } from "@llmc/errors";
import { awaited } from "@llmc/te-process";
import { sessionKey } from "@llmc/toolkit";
import { z } from "zod";
import { defineTool, type LinuxOpsContext } from "../../context/context.js";
import { waitOf } from "../../context/waiting.js";
import { DEFAULT_BUDGET } from "../../answer/budget.js";
import { header } from "../../answer/header.js";
import { answerFields, answerOf, endedBefore, endFields, screenOf, stateNotes } from "./managed/answer.js";
import { procId, waitFor, waitMs } from "./managed/fields.js";

export const procRead = defineTool({
  name: "linux.proc_read",
  description: "Wait for a program's prompt or end; read what is new.",
  toolset: "repl",
  features: ["mcp.linux_ops.features.repl_enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    proc_id: procId,
    timeout_ms: waitMs.default(1000),
    since: z.int().nullable().optional().describe("From there; -4000: the end."),
    wait_for: waitFor.nullable().optional(),
    screen: z.boolean().default(false).describe("What its terminal shows now."),
    raw: z.boolean().default(false).describe("With escape sequences."),
    max_bytes: z.int().min(1).max(1_000_000).nullable().optional(),
  }),
  unlisted: ["raw", "max_bytes"],
  output: z.strictObject({
    output: z.string(),
    state: z.enum(["running", "exited", "no_such_process"]),
    ...answerFields,
  }),
  logs: { args: ["proc_id", "timeout_ms"], result: ["state", "why", "lost_bytes"] },

  async handler({ proc_id, timeout_ms, since, wait_for, screen, raw, max_bytes }, context) {
    const owner = sessionKey(context);
    const process = context.managed.find(owner, proc_id);
    if (process === undefined) return gone(context.managed.endOf(owner, proc_id));
    using _own = context.files.ownWork(owner);
    if (screen && !process.isTerminal)
      throw new InvalidArgumentError(`${proc_id} has no terminal`, "Start the program with pty: true.");
    const ms = waitOf(timeout_ms, context.mcp, "timeout_ms");
    const until = typeof wait_for === "string" ? awaited(wait_for) : undefined;
    const endsAtQuiet = !context.given.has("timeout_ms");
    const asked = { since: since ?? undefined, maxBytes: max_bytes ?? DEFAULT_BUDGET.bytes, endsAtQuiet };
    const isThere = until === undefined && !screen && process.hasAnswer(asked);
    const why = isThere ? undefined : await process.wait({ ms, until, endsAtQuiet, signal: context.signal });
    const { text, state, fields } = screen
      ? await screenOf(process, why ?? "quiet", context.signal)
      : answerOf(process, why, { since, isRaw: raw, maxBytes: max_bytes ?? undefined });
    return { output: text, state, ...fields };
  },

  render({ output, ...rest }, { proc_id }) {
    if (rest.state === "no_such_process")
      return header(`This session has no process ${proc_id.slice(0, 60)}`, ["linux_proc_sessions lists its own"]);
    // An earlier answer told the end and gave the last output.
    if (rest.state === "exited" && rest.why === undefined && output === "")
      return header(endedBefore(proc_id, rest), []);
    return `${header(proc_id, stateNotes(rest))}\n${output}`;
  },
});

function gone(end: ReturnType<LinuxOpsContext["managed"]["endOf"]>) {
  if (end === undefined) return { output: "", state: "no_such_process" as const };
  return { output: "", state: "exited" as const, ...endFields(end) };
}
