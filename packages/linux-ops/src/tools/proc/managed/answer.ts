import { drawScreen, type ManagedProcess, type TakeOptions, type Why } from "@llmc/te-process";
import { estimateTokens } from "@llmc/toolkit";
import { z } from "zod";
import { grouped } from "../../../answer/line.js";
import { DEFAULT_BUDGET } from "../../../answer/budget.js";

/** What every answer about a managed process may say beside its output. */
export const answerFields = {
  why: z
    .enum(["prompt", "input", "matched", "quiet", "exit", "timeout"])
    .optional()
    .describe("Why the answer comes now: input: it reads its input; quiet: nothing more for 300 ms."),
  exit_code: z.int().nullable().optional(),
  signal: z.string().nullable().optional(),
  limit: z.enum(["memory", "processes", "file size"]).optional().describe("The bound that it ran into."),
  next: z.int().optional().describe("Where the output goes on: since of a later read."),
  unread_bytes: z.int().optional(),
  lost_bytes: z.int().optional().describe("Printed before this output and not kept."),
  cursor: z.strictObject({ row: z.int(), col: z.int() }).optional().describe("Of a screen, from 1."),
} as const;

const shape = z.strictObject(answerFields);
type Fields = z.output<typeof shape>;

export interface Answer {
  readonly text: string;
  readonly state: "running" | "exited";
  readonly fields: Fields;
}

export interface AnswerOptions {
  readonly since?: number | null | undefined;
  readonly maxBytes?: number | undefined;
  readonly isRaw?: boolean;
  readonly echoOf?: string | undefined;
}

/** What it printed that nobody was given yet, as much as an answer holds. */
export function answerOf(process: ManagedProcess, why: Why | undefined, options: AnswerOptions = {}): Answer {
  const { since, maxBytes, isRaw = false, echoOf } = options;
  const bounds: TakeOptions =
    maxBytes === undefined ? { maxBytes: DEFAULT_BUDGET.bytes, fits: isAffordable } : { maxBytes };
  const { text, next, lost } = process.take({ ...bounds, since: since ?? undefined, isRaw, echoOf });
  const unread = since === undefined || since === null ? process.unread : process.printed - next;
  return {
    text,
    state: process.state,
    fields: {
      ...(why === undefined ? {} : { why }),
      ...endOf(process),
      next,
      ...(unread === 0 ? {} : { unread_bytes: unread }),
      ...(lost === 0 ? {} : { lost_bytes: lost }),
    },
  };
}

/** What its terminal shows now. All that was printed counts as read. */
export async function screenOf(process: ManagedProcess, why: Why, signal: AbortSignal): Promise<Answer> {
  const next = process.printed;
  const { text, cursor } = await drawScreen(process.kept(), process.size ?? { cols: 80, rows: 24 });
  // Leaves the bytes unread in a cancelled call, because the next read has to return them.
  signal.throwIfAborted();
  process.given(next);
  return { text, state: process.state, fields: { why, ...endOf(process), next, cursor: { ...cursor } } };
}

function isAffordable(text: string): boolean {
  return estimateTokens(text) <= DEFAULT_BUDGET.tokens;
}

/** Returns the fields about the end of a program. */
export function endFields({ exitCode, signal, limit }: NonNullable<ManagedProcess["end"]>) {
  return { exit_code: exitCode, signal, ...(limit === undefined ? {} : { limit }) };
}

function endOf({ end }: ManagedProcess) {
  return end === undefined ? {} : endFields(end);
}

type Shown = Fields & { readonly state?: string | undefined };

/** Words for the reason of an answer. */
const STANDS: Readonly<Record<Why, string>> = {
  prompt: "prompt",
  input: "waits for input",
  matched: "matched",
  quiet: "running, quiet",
  timeout: "still running",
  exit: "exited",
};

/** Returns the head for a call that came too late, such as `p_24dmcn has already ended (exit 0)`. */
export function endedBefore(procId: string, { exit_code, signal }: Shown): string {
  const by = typeof signal === "string" ? `, ${signal}` : "";
  return `${procId} has already ended (exit ${exit_code ?? "unknown"}${by})`;
}

/** Returns notes such as `prompt` or `exited 0`, and notes on missing output. */
export function stateNotes({
  state,
  why,
  exit_code,
  signal,
  limit,
  unread_bytes,
  lost_bytes,
  next,
  cursor,
}: Shown): string[] {
  const told: string[] = [];
  if (state === "exited") told.push(`exited ${exit_code ?? ""}${signal ? ` (${signal})` : ""}`.trim());
  else if (why !== undefined) told.push(STANDS[why]);
  else if (state !== undefined) told.push(state);
  if (limit !== undefined) told.push(`limit hit: ${limit}`);
  if (cursor !== undefined) told.push(`cursor at row ${cursor.row}, column ${cursor.col}`);
  if (lost_bytes !== undefined) told.push(`${grouped(lost_bytes)} bytes before this were not kept`);
  if (unread_bytes !== undefined)
    told.push(
      `${grouped(unread_bytes)} bytes more: read again${next === undefined ? "" : ", or since=-4000 for the end"}`,
    );
  return told;
}
