import { EngineUnavailableError, InvalidArgumentError } from "@llmc/errors";
import { awaited, keyNamed, type ManagedProcess, type Why } from "@llmc/te-process";
import { sessionKey } from "@llmc/toolkit";
import { z } from "zod";
import { defineTool, type LinuxOpsContext } from "../../context/context.js";
import { waitOf } from "../../context/waiting.js";
import { header } from "../../answer/header.js";
import { grouped } from "../../answer/line.js";
import { answerFields, answerOf, endedBefore, endFields, stateNotes } from "./managed/answer.js";
import { cols, procId, rows, waitFor, waitMs } from "./managed/fields.js";

/** Default waits in milliseconds: for an awaited text, and for an answer. */
const LONG_WAIT_MS = 10_000;
const ANSWER_MS = 2000;

export const procSend = defineTool({
  name: "linux.proc_send",
  description: "Send input to a program and get its answer.",
  toolset: "repl",
  features: ["mcp.linux_ops.features.repl_enabled"],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    proc_id: procId,
    input: z.string().max(1_000_000).default(""),
    newline: z.boolean().default(true),
    key: z.string().max(40).nullable().optional().describe("ctrl-c, ctrl-d, up …"),
    wait_ms: waitMs.nullable().optional(),
    wait_for: waitFor.nullable().optional(),
    raw: z.boolean().default(false).describe("With escape sequences and echo."),
    cols: cols.nullable().optional().describe("A new size of the terminal."),
    rows: rows.nullable().optional(),
  }),
  unlisted: ["newline", "raw", "cols", "rows"],
  output: z.strictObject({
    acknowledged: z.boolean().describe("False: it has ended."),
    output: z.string().optional().describe("What it printed until the answer; missing when not waited for."),
    state: z.enum(["running", "exited"]),
    ...answerFields,
    unsent_bytes: z.int().optional().describe("Input that it has not read yet."),
  }),
  logs: { args: ["proc_id", "key"], result: ["acknowledged", "state", "why"] },

  async handler(args, context) {
    const owner = sessionKey(context);
    const end = context.managed.endOf(owner, args.proc_id);
    if (end !== undefined) return { acknowledged: false, state: "exited" as const, ...endFields(end) };
    const process = context.managed.demand(owner, args.proc_id);
    using _own = context.files.ownWork(owner);
    const until = typeof args.wait_for === "string" ? awaited(args.wait_for) : undefined;
    const ms = waitOf(args.wait_ms ?? usualWait(args, context), context.mcp);
    const key = typeof args.key === "string" ? keyNamed(args.key) : undefined;
    if (process.state === "exited") return { acknowledged: false, ...shown(process, "exit", args) };
    resize(process, args);
    const from = await deliver(process, args, key, context);
    if (ms === 0) return { acknowledged: true, state: process.state, ...unsent(process) };
    const endsAtQuiet = typeof args.wait_ms !== "number";
    const why = await process.wait({ ms, until, endsAtQuiet, from, signal: context.signal });
    return { acknowledged: true, ...shown(process, why, args), ...unsent(process) };
  },

  render({ output, acknowledged, unsent_bytes, ...rest }, { proc_id }) {
    const line = acknowledged
      ? header(proc_id, [...(output === undefined ? ["sent"] : []), ...stateNotes(rest), ...unsentNotes(unsent_bytes)])
      : header(endedBefore(proc_id, rest), ["not sent"]);
    return output === undefined ? line : `${line}\n${output}`;
  },
});

interface Args {
  readonly input: string;
  readonly newline: boolean;
  readonly raw: boolean;
  readonly cols?: number | null | undefined;
  readonly rows?: number | null | undefined;
}

function resize(process: ManagedProcess, { cols, rows }: Args): void {
  if (!isSized({ cols, rows })) return;
  const { size } = process;
  if (size === undefined)
    throw new InvalidArgumentError(`${process.id} has no terminal`, "Start the program with pty: true.");
  if (process.resize(cols ?? size.cols, rows ?? size.rows)) return;
  throw new EngineUnavailableError(
    "@lydell/node-pty",
    "a terminal that `script` made keeps its size",
    "Install it beside the server.",
  );
}

/** Where the output stood before. */
async function deliver(
  process: ManagedProcess,
  { input, newline, raw: _raw, ...size }: Args,
  key: ReturnType<typeof keyNamed> | undefined,
  { given }: LinuxOpsContext,
): Promise<number> {
  const at = process.printed;
  const isBare = input === "" && !given.has("input") && (key !== undefined || isSized(size));
  if (!isBare) {
    // A key is pressed behind what is typed, not on the next line.
    const isLine = newline && key === undefined;
    process.send(isLine ? `${input}${process.isTerminal ? "\r" : "\n"}` : input);
  }
  if (key !== undefined) await process.press(key);
  return at;
}

function shown(process: ManagedProcess, why: Why, { raw, input }: Args) {
  const { text, state, fields } = answerOf(process, why, { isRaw: raw, echoOf: input });
  return { output: text, state, ...fields };
}

/**
 * Returns the default wait. Without an awaited text only models wait; calls of programs, and calls that only resize,
 * return at once.
 */
function usualWait(args: Args & { readonly wait_for?: unknown }, { entry, given }: LinuxOpsContext): number {
  if (typeof args.wait_for === "string") return LONG_WAIT_MS;
  const isModel = entry === "stdio" || entry === "http";
  const isSent = given.has("input") || given.has("key");
  return isModel && (isSent || !isSized(args)) ? ANSWER_MS : 0;
}

function isSized({ cols, rows }: Pick<Args, "cols" | "rows">): boolean {
  return typeof cols === "number" || typeof rows === "number";
}

function unsentNotes(bytes: number | undefined): string[] {
  return bytes === undefined ? [] : [`${grouped(bytes)} bytes it has not read`];
}

function unsent({ pendingInput }: ManagedProcess) {
  return pendingInput === 0 ? {} : { unsent_bytes: pendingInput };
}
