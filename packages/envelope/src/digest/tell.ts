import { keepStream, shares, shorten, type Outcome, type StreamBudget, type StreamName } from "@llmc/commands";
import type { PlainOutput } from "@llmc/te-shell";
import { estimateTokens } from "@llmc/toolkit";
import type { EnvelopeContext } from "../context.js";
import { tryDigest, type Digested } from "./digest.js";
import { asOutput, headAndTail, markerOf } from "./marker.js";
import { record, tokensOf } from "./record.js";

/** Bytes above which an output is not digested, because that would hold up other calls. */
const LARGEST = 2 * 1024 * 1024;

/** Both streams of a command, as an answer tells them. */
export interface Told {
  readonly mode: "enriched" | "passthrough" | "raw";
  readonly stdout: ToldStream;
  readonly stderr: ToldStream;
  /** What the digest left out and how to read it. */
  readonly marker: string | null;
  readonly recogniser: string | null;
}

export interface ToldStream {
  readonly text: string;
  readonly isCut: boolean;
  /** All of the stream, if it was changed. */
  readonly handle: string | null;
}

export interface TellOptions {
  readonly command: string | readonly string[];
  readonly isRaw: boolean;
}

/** Digests the output of a command, and cuts in the middle what is still above the budget. */
export async function tell(outcome: Outcome, options: TellOptions, context: EnvelopeContext): Promise<Told> {
  const start = performance.now();
  const isRaw = options.isRaw || !context.te.enabled;
  const { short, failed } = isRaw ? UNTOUCHED : digested(outcome, options.command);
  const shown = { stdout: short?.stdout ?? outcome.stdout, stderr: short?.stderr ?? outcome.stderr };
  const [forOut, forErr] = shares(asOutput(shown.stdout), asOutput(shown.stderr), context.limits.budget);
  const stdout = await toldStream("stdout", outcome, shown.stdout, forOut, context);
  const stderr = await toldStream("stderr", outcome, shown.stderr, forErr, context);
  const marker = short === undefined ? null : markerOf(short, [stdout.handle, stderr.handle], context);
  const mode = isRaw ? "raw" : short === undefined ? "passthrough" : "enriched";
  record(
    {
      command: options.command,
      family: short?.recogniser ?? failed,
      mode: failed === undefined ? mode : "error",
      rawTokens:
        tokensOf(outcome.printed?.stdout ?? outcome.stdout) + tokensOf(outcome.printed?.stderr ?? outcome.stderr),
      shownTokens: [stdout.text, stderr.text, marker ?? ""].reduce((sum, text) => sum + estimateTokens(text), 0),
      truncated: marker !== null || stdout.isCut || stderr.isCut,
      handles: [stdout.handle, stderr.handle],
      start,
    },
    context,
  );
  return { mode, stdout, stderr, marker, recogniser: short?.recogniser ?? null };
}

const UNTOUCHED: Digested = { short: undefined, failed: undefined };

function digested({ stdout, stderr, exitCode }: Outcome, command: TellOptions["command"]): Digested {
  const both = [stdout, stderr];
  if (both.some((each) => typeof each !== "string" && each.head().length < each.total)) return UNTOUCHED;
  const [out = "", err = ""] = both.map((each) => (typeof each === "string" ? each : each.head().toString()));
  return out.length + err.length > LARGEST ? UNTOUCHED : tryDigest({ command, stdout: out, stderr: err, exitCode });
}

async function toldStream(
  name: StreamName,
  outcome: Outcome,
  shown: PlainOutput | string,
  budget: StreamBudget,
  context: EnvelopeContext,
): Promise<ToldStream> {
  const whole = outcome[name];
  if (typeof whole === "string") return { text: whole, isCut: false, handle: null };
  const isDigest = typeof shown === "string" && shown !== whole.head().toString();
  const short = shorten(asOutput(shown), budget);
  if (!isDigest && short === undefined) return { text: exactly(outcome, name), isCut: false, handle: null };
  const handle = (await keepStream(name, whole, context.limits.keptBytes, context)) ?? null;
  if (short === undefined) return { text: shown as string, isCut: false, handle };
  return { text: headAndTail(short, isDigest ? null : handle, context), isCut: true, handle };
}

/** The bytes that the program printed, escape sequences included. */
function exactly({ printed, ...outcome }: Outcome, name: StreamName): string {
  const kept = printed?.[name];
  if (kept !== undefined) return kept.head().toString();
  const plain = outcome[name];
  return typeof plain === "string" ? plain : plain.head().toString();
}
