import { estimateTokens, type EnvelopeFacts } from "@llmc/toolkit";
import type { Outcome } from "@llmc/commands";
import type { EnvelopeContext } from "../context.js";
import { parseCommand } from "../recognise/command.js";
import type { Told } from "./tell.js";

export interface Shortening extends Pick<EnvelopeFacts, "mode" | "rawTokens" | "shownTokens" | "truncated"> {
  readonly command: string | readonly string[];
  /** The recogniser; undefined for the program. */
  readonly family: string | undefined;
  readonly handles: readonly (string | null)[];
  /** Start of the shortening, by performance.now(). */
  readonly start: number;
}

/** Adds the fate of an output to the record of its call. */
export function record(
  { command, family, handles, start, ...facts }: Shortening,
  { recordEnvelope }: Pick<EnvelopeContext, "recordEnvelope">,
): void {
  const made = handles.filter((handle) => handle !== null);
  recordEnvelope({
    ...facts,
    command: typeof command === "string" ? command : command.join(" "),
    family: family ?? parseCommand(command).printing.at(-1)?.program ?? "",
    handles: made,
    shorteningMs: performance.now() - start,
  });
}

/** Adds the fate of a command's output to the record of its call. */
export function recordTold(
  command: string | readonly string[],
  outcome: Pick<Outcome, "stdout" | "stderr" | "printed">,
  told: Told,
  start: number,
  context: Pick<EnvelopeContext, "recordEnvelope">,
): void {
  const { stdout, stderr, marker, mode, failed, recogniser, truncated } = told;
  const raw = [outcome.printed?.stdout ?? outcome.stdout, outcome.printed?.stderr ?? outcome.stderr];
  record(
    {
      command,
      family: recogniser ?? failed,
      mode: failed === undefined ? mode : "error",
      rawTokens: raw.reduce((sum, stream) => sum + tokensOf(stream), 0),
      shownTokens: [stdout.text, stderr.text, marker ?? ""].reduce((sum, text) => sum + estimateTokens(text), 0),
      truncated,
      handles: [stdout.handle, stderr.handle],
      start,
    },
    context,
  );
}

/** Bytes of a stream whose tokens are counted; the rest is taken to be like them. */
const COUNTED = 256 * 1024;

/** Estimates the tokens of a whole stream. */
export function tokensOf(stream: { head(): Buffer; readonly total: number } | string): number {
  if (typeof stream === "string")
    return tokensOf({ head: () => Buffer.from(stream), total: Buffer.byteLength(stream) });
  const counted = stream.head().subarray(0, COUNTED);
  if (counted.length === 0) return 0;
  return Math.round((estimateTokens(counted.toString()) * stream.total) / counted.length);
}
