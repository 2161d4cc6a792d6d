import { awaited, promptless } from "@llmc/te-process";
import { z } from "zod";
import { notStarted, startManaged } from "@llmc/commands";
import { defineTool } from "../../context/context.js";
import { path } from "../../context/fields.js";
import { waitOf } from "../../context/waiting.js";
import { header } from "../../answer/header.js";
import { answerFields, answerOf, stateNotes } from "./managed/answer.js";
import { cols, rows, SIZE, waitFor, waitMs } from "./managed/fields.js";

const FIRST_WAIT_MS = 2000;
const FIXED_SIZE = "without @lydell/node-pty the terminal keeps its size";

export const procStart = defineTool({
  name: "linux.proc_start",
  description: "Start a program that lives on between calls: a REPL (python3 -i), a server.",
  toolset: "repl",
  features: ["mcp.linux_ops.features.repl_enabled"],
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    command: z.string().min(1).max(131_072),
    cwd: path.nullable().optional(),
    env: z.record(z.string().max(256), z.string().max(131_072)).nullable().optional(),
    pty: z.boolean().default(false).describe("In a terminal."),
    cols: cols.default(SIZE.cols),
    rows: rows.default(SIZE.rows),
    wait_ms: waitMs.default(FIRST_WAIT_MS),
    wait_for: waitFor.nullable().optional().describe("A text, or /regex/."),
  }),
  unlisted: ["env", "cols", "rows", "wait_ms"],
  output: z.strictObject({
    proc_id: z.string(),
    pid: z.int().nullable().describe("Of the program on this machine; null when it ended before it was seen."),
    first_output: z.string(),
    state: z.enum(["running", "exited"]),
    ...answerFields,
    sandbox: z
      .enum(["bubblewrap", "namespaces", "off"])
      .optional()
      .describe("What holds it; missing: nothing was started."),
    network: z.boolean().optional(),
    held: z.string().optional().describe("What ends it with all that it started, should the server die."),
    note: z.string().optional(),
  }),
  logs: { args: ["cwd", "pty"], result: ["proc_id", "pid", "state", "sandbox"] },

  async handler({ command, cwd, env, pty, cols, rows, wait_ms, wait_for }, context) {
    const isLong = wait_for !== undefined && wait_for !== null && !context.given.has("wait_ms");
    const begun = await startManaged(
      {
        command,
        cwd: cwd ?? undefined,
        env: env ?? undefined,
        size: pty ? { cols, rows } : undefined,
        waitMs: waitOf(isLong ? LONG_WAIT_MS : wait_ms, context.mcp),
        until: typeof wait_for === "string" ? awaited(wait_for) : undefined,
        endsAtQuiet: !context.given.has("wait_ms"),
        use: "process",
        tool: "linux.proc_start",
      },
      context,
    );
    if ("missing" in begun) {
      const { text: first_output, exitCode: exit_code } = notStarted(begun, context.hintOf);
      return { proc_id: "", pid: null, first_output, state: "exited" as const, exit_code, signal: null };
    }
    const { process, why } = begun;
    const { text, state, fields } = answerOf(process, why);
    const { sandbox, network, held } = process.facts;
    const isFixed = pty && !(await context.managed.hasTerminals());
    const notes = [
      ...(text === "" && state === "running" && !pty ? withPrompt(command) : []),
      ...process.facts.notes.map(context.hintOf),
      ...(isFixed ? [FIXED_SIZE] : []),
    ];
    return {
      proc_id: process.id,
      pid: process.pid ?? null,
      first_output: text,
      state,
      ...fields,
      sandbox,
      network,
      held,
      ...(notes.length === 0 ? {} : { note: notes.join("; ") }),
    };
  },

  render({ proc_id, pid, first_output, sandbox, network, note, ...rest }) {
    const notes = pid === null ? [] : [`pid ${pid}`];
    notes.push(...stateNotes(rest));
    if (sandbox !== undefined) notes.push(sandbox === "off" ? "no sandbox" : sandbox);
    if (network === false) notes.push("no network");
    if (note !== undefined) notes.push(note);
    return `${header(proc_id === "" ? "not started" : proc_id, notes)}\n${first_output}`;
  },
});

function withPrompt(command: string): string[] {
  const found = promptless(command);
  if (found === undefined) return [];
  return [`shows no prompt: ${found.start === null ? "" : `start ${found.start}, or `}pty: true`];
}

/** For a text that is awaited: a server may take a while. */
const LONG_WAIT_MS = 10_000;
