import { shortName, storeIfAny } from "@llmc/handles";
import type { PlainOutput } from "@llmc/te-shell";
import { estimateTokens } from "@llmc/toolkit";
import type { CommandContext } from "../launch/context.js";
import type { Outcome } from "../run/run-once.js";
import { shorten, type Shortened, type StreamBudget } from "./shorten.js";

/** Both streams, cut to the budget of an answer. */
export interface Streams {
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated?: true;
  readonly stdout_bytes?: number;
  readonly stderr_bytes?: number;
  readonly handle?: string;
  readonly stderr_handle?: string;
}

/** Store for new handles, and their owner. */
export interface HandleMaker extends Pick<CommandContext, "handles"> {
  readonly session: Pick<CommandContext["session"], "owner">;
}

export type StreamName = "stdout" | "stderr";

export interface StreamsOptions {
  /** Budget of both streams together. */
  readonly budget: StreamBudget;
  /** The largest payload of a handle. */
  readonly keptBytes: number;
}

/** Cuts a stream that does not fit in its middle, and keeps the whole stream behind a handle. */
export async function streamsOf(
  { stdout, stderr }: Outcome,
  options: StreamsOptions,
  context: CommandContext,
): Promise<Streams> {
  const { budget } = options;
  const [forRest, forErrors] = shares(stdout, stderr, budget);
  const [out, err] = [
    await shown("stdout", stdout, { ...options, budget: forRest }, context),
    await shown("stderr", stderr, { ...options, budget: forErrors }, context),
  ];
  return {
    stdout: out.text,
    stderr: err.text,
    ...(out.isCut || err.isCut ? { truncated: true as const } : {}),
    ...(out.isCut ? { stdout_bytes: out.total } : {}),
    ...(err.isCut ? { stderr_bytes: err.total } : {}),
    ...(out.handle === undefined ? {} : { handle: out.handle }),
    ...(err.handle === undefined ? {} : { stderr_handle: err.handle }),
  };
}

/** Shares a budget between stdout and stderr. */
export function shares(
  stdout: PlainOutput | string,
  stderr: PlainOutput | string,
  budget: StreamBudget,
): [forStdout: StreamBudget, forStderr: StreamBudget] {
  const errors = costOf(stderr, budget);
  // stderr is short and matters most, but a flood on stderr must leave room for stdout.
  const [forErrors, forRest] = budgets(errors, costOf(stdout, budget), budget);
  return [forRest, forErrors];
}

function costOf(output: PlainOutput | string, budget: StreamBudget): StreamBudget {
  const text = typeof output === "string" ? output : output.head().subarray(0, budget.bytes).toString();
  const isLarge = typeof output !== "string" && output.total > budget.bytes;
  return isLarge ? budget : { bytes: Buffer.byteLength(text), tokens: estimateTokens(text) };
}

function budgets(errors: StreamBudget, rest: StreamBudget, whole: StreamBudget): [StreamBudget, StreamBudget] {
  const share = (key: keyof StreamBudget): [number, number] => {
    const all = whole[key];
    const forErrors = Math.max(all / 2, all - rest[key]);
    return [forErrors, all - Math.min(errors[key], forErrors)];
  };
  const [[errorBytes, restBytes], [errorTokens, restTokens]] = [share("bytes"), share("tokens")];
  return [
    { bytes: errorBytes, tokens: errorTokens },
    { bytes: restBytes, tokens: restTokens },
  ];
}

async function shown(
  name: StreamName,
  output: PlainOutput | string,
  options: StreamsOptions,
  context: CommandContext,
): Promise<{ text: string; isCut: boolean; total: number; handle?: string }> {
  if (typeof output === "string") return { text: output, isCut: false, total: output.length };
  const short = shorten(output, options.budget);
  if (short === undefined) return { text: output.head().toString(), isCut: false, total: output.total };
  const handle = await keepStream(name, output, options.keptBytes, context);
  const text = `${short.head}${marker(short, handle)}${short.tail}`;
  return { text, isCut: true, total: output.total, ...(handle === undefined ? {} : { handle }) };
}

function marker({ head, omitted }: Shortened, handle: string | undefined): string {
  const where = handle === undefined ? "" : `; all of it: ${shortName(handle)}`;
  const line = `… [${omitted.lines} lines, ${omitted.bytes} bytes left out${where}] …`;
  return `${head === "" || head.endsWith("\n") ? "" : "\n"}${line}\n`;
}

/** Makes a handle for a stream; undefined without a store. */
export async function keepStream(
  name: StreamName,
  output: PlainOutput,
  keptBytes: number,
  context: HandleMaker,
): Promise<string | undefined> {
  const store = await storeIfAny(context.handles);
  const gap = output.lost > 0 ? Buffer.from(`\n… [${output.lost} bytes were not kept] …\n`) : Buffer.alloc(0);
  const max = keptBytes - gap.length - output.tail().length;
  const payload = Buffer.concat([output.head().subarray(0, Math.max(0, max)), gap, output.tail()]);
  const meta = { kind: "command_output", stream: name, total_bytes: output.total, lost_bytes: output.lost };
  const made = await store?.create({ owner: context.session.owner, type: "cmd", meta, payload });
  return made?.id;
}
