import { InvalidArgumentError } from "@llmc/errors";
import { awaited } from "@llmc/te-process";
import { sessionKey } from "@llmc/toolkit";
import { z } from "zod";
import { defineTool } from "../../context/context.js";
import { waitOf } from "../../context/waiting.js";
import { DEFAULT_BUDGET } from "../../answer/budget.js";
import { header } from "../../answer/header.js";
import { answerFields, answerOf, screenOf, stateNotes } from "./managed/answer.js";
import { procId, waitFor, waitMs } from "./managed/fields.js";

export const procRead = defineTool({
  name: "linux.proc_read",
  description: "Read what a program printed since the last read, as soon as it is ready.",
  toolset: "repl",
  features: ["mcp.linux_ops.features.repl_enabled"],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    proc_id: procId,
    timeout_ms: waitMs.default(1000),
    since: z
      .int()
      .min(-1_000_000_000)
      .max(Number.MAX_SAFE_INTEGER)
      .nullable()
      .optional()
      .describe("A place to read again from; below 0: from the end."),
    wait_for: waitFor.nullable().optional(),
    screen: z.boolean().default(false).describe("What its terminal shows now."),
    raw: z.boolean().default(false).describe("With escape sequences."),
    max_bytes: z.int().min(1).max(1_000_000).nullable().optional(),
  }),
  unlisted: ["since", "wait_for", "raw", "max_bytes"],
  output: z.strictObject({
    output: z.string(),
    state: z.enum(["running", "exited", "no_such_process"]),
    ...answerFields,
  }),
  logs: { args: ["proc_id", "timeout_ms"], result: ["state", "why", "lost_bytes"] },

  async handler({ proc_id, timeout_ms, since, wait_for, screen, raw, max_bytes }, context) {
    const process = context.managed.find(sessionKey(context), proc_id);
    if (process === undefined) return { output: "", state: "no_such_process" as const };
    using _own = context.files.ownWork(sessionKey(context));
    if (screen && !process.isTerminal)
      throw new InvalidArgumentError(`${proc_id} has no terminal`, "Start the program with pty: true.");
    const ms = waitOf(timeout_ms, context.mcp, "timeout_ms");
    const until = typeof wait_for === "string" ? awaited(wait_for) : undefined;
    // What is read again is there; and behind more than an answer holds there is nothing to wait for.
    const isBack = typeof since === "number" && (since < 0 || since < process.printed);
    const isFull = process.state === "running" && !screen && process.unread >= (max_bytes ?? DEFAULT_BUDGET.bytes);
    const why =
      (isBack || isFull) && until === undefined ? undefined : await process.wait({ ms, until, signal: context.signal });
    const { text, state, fields } = screen
      ? await screenOf(process, why ?? "quiet")
      : answerOf(process, why, { since, isRaw: raw, maxBytes: max_bytes ?? undefined });
    return { output: text, state, ...fields };
  },

  render({ output, ...rest }, { proc_id }) {
    const hint = rest.state === "no_such_process" ? ["linux.proc_sessions lists those of this session"] : [];
    return `${header(proc_id, [...stateNotes(rest), ...hint])}\n${output}`;
  },
});
